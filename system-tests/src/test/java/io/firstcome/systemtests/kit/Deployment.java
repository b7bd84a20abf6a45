package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.AmqpServer;
import io.firstcome.devservices.KeptAliveConnection;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** A service and its servers, for those who claim there and those who judge what came of it. */
public interface Deployment {

  PostgresServer postgres();

  RedisServer redis();

  AmqpServer amqp();

  /** Where the service takes requests. */
  int servicePort();

  /** What was asked here, and what was answered. */
  RequestRecord record();

  /** What the service has logged so far. */
  List<Path> logs();

  /** Sends one request on a connection of its own. */
  default Answer send(Call call) {
    return send(servicePort(), call);
  }

  static Answer send(int port, Call call) {
    try (KeptAliveConnection connection = KeptAliveConnection.open(port)) {
      return Answer.of(connection.exchange(call.bytes()));
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + call, e);
    }
  }

  /** Defines the coupon and gives its id. */
  default String define(CouponFixtures coupon) {
    Answer answer = send(Call.define(coupon.json()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return coupon.id();
  }

  /** Lets these users claim. */
  default Crowd crowd(String couponId, List<String> users) {
    return Crowd.start(record(), couponId, users, List.of(servicePort()));
  }
}
