package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.service.KeepAliveConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A service and its servers, as the clients and the checks of a test use them. */
public interface Deployment {

  /** After the end of a fault, which each test waits for, few connections can still be lost. */
  Duration RECOVERY_LIMIT = Duration.ofSeconds(5);

  Duration RETRY_PAUSE = Duration.ofMillis(200);

  PostgresServer postgres();

  RedisServer redis();

  AmqpServer amqp();

  /** The port of the service. */
  int servicePort();

  /** The record of all requests and answers. */
  RequestRecord record();

  /** The log files of the service. */
  List<Path> logs();

  /** Sends one request on a connection of its own. */
  default Answer send(Call call) {
    return send(servicePort(), call);
  }

  static Answer send(int port, Call call) {
    try (KeepAliveConnection connection = KeepAliveConnection.open(port)) {
      var answer = Answer.of(connection.exchange(call.bytes()));
      assertThat(ApiDescription.faults(call, answer)).as("%s: %s", call, answer).isEmpty();
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + call, e);
    }
  }

  /**
   * Defines the coupon and returns its id. As an operator would, it repeats a request that is
   * answered 503, which is safe.
   */
  default String define(CouponRequests coupon) {
    Call definition = Call.define(coupon.json());
    Answer answer = send(definition);
    long end = System.nanoTime() + RECOVERY_LIMIT.toNanos();
    boolean again = false;
    while (answer.status() == 503 && System.nanoTime() - end < 0) {
      again = true;
      Await.pause(RETRY_PAUSE);
      answer = send(definition);
    }
    assertThat(answer.status()).as(answer.body()).isIn(201, again ? 200 : 201);
    return coupon.id();
  }

  /** Starts a crowd of these users. */
  default Crowd crowd(String couponId, List<String> users) {
    return Crowd.start(record(), couponId, users, List.of(servicePort()));
  }
}
