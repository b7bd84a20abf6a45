package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.DevServices;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections over which a call times out: when they are replaced and when they are kept. */
class SilentCallsIT {

  private final RedisClient client = RedisClient.create(uri());
  private final RedisConnection link =
      new RedisConnection(client, Duration.ofSeconds(2), IssuanceObserver.silent());

  private static RedisURI uri() {
    var redis = DevServices.shared().redis();
    return RedisURI.create(redis.host(), redis.port());
  }

  @AfterEach
  void close() {
    client.shutdown(0, 2, TimeUnit.SECONDS);
  }

  @Test
  void a_connection_without_any_reply_is_replaced() {
    long before = connectionId();

    sendUnanswered().completeExceptionally(new RedisCommandTimeoutException());

    assertThat(connectionId()).isNotEqualTo(before);
  }

  /** Like a call that was lost with an earlier socket, before Lettuce reconnected. */
  @Test
  void a_connection_that_replied_to_a_later_call_is_kept() {
    long before = connectionId();
    var lost = sendUnanswered();
    var _ = connectionId();

    lost.completeExceptionally(new RedisCommandTimeoutException());

    assertThat(connectionId()).isEqualTo(before);
  }

  @Test
  void an_error_is_a_reply() {
    long before = connectionId();
    var _ = link.run(commands -> commands.set("text", "x"));
    var lost = sendUnanswered();
    assertThatThrownBy(() -> link.run(commands -> commands.incr("text")))
        .isInstanceOf(StockUnavailableException.class)
        .hasRootCauseMessage("ERR value is not an integer or out of range");

    lost.completeExceptionally(new RedisCommandTimeoutException());

    assertThat(connectionId()).isEqualTo(before);
  }

  @Test
  void a_connection_to_a_silent_server_is_replaced_unless_it_had_a_later_reply() {
    long before = connectionId();
    long silentSince = System.nanoTime();
    var _ = connectionId();
    link.leaveSilentServer(silentSince);
    assertThat(connectionId()).isEqualTo(before);

    link.leaveSilentServer(System.nanoTime());

    assertThat(connectionId()).isNotEqualTo(before);
  }

  /** Otherwise a list of a hundred coupons would take a hundred attempts. */
  @Test
  @Timeout(5)
  void only_the_first_of_attempts_that_fail_is_awaited() throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var address =
          RedisURI.create(silent.getInetAddress().getHostAddress(), silent.getLocalPort());
      address.setTimeout(Duration.ofMillis(150));
      var other = RedisClient.create(address);
      try {
        var silentLink =
            new RedisConnection(other, Duration.ofSeconds(2), IssuanceObserver.silent());
        for (int i = 0; i < 100; i++) {
          assertThatThrownBy(() -> silentLink.run(commands -> commands.clientId()))
              .isInstanceOfSatisfying(
                  StockUnavailableException.class,
                  e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
          // Time for attempts that fail.
          LockSupport.parkNanos(10_000_000);
        }
      } finally {
        other.shutdown(0, 0, TimeUnit.SECONDS);
      }
    }
  }

  /** Otherwise it would notice up to half a second late that an attempt has succeeded. */
  @Test
  void a_loop_awaits_each_attempt() throws IOException {
    int closedPort;
    try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      closedPort = socket.getLocalPort();
    }
    var other = RedisClient.create(RedisURI.create("127.0.0.1", closedPort));
    try {
      var absentLink = new RedisConnection(other, Duration.ofSeconds(2), IssuanceObserver.silent());
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(absentLink::connect).hasMessage("cannot connect to Redis");
      }
    } finally {
      other.shutdown(0, 0, TimeUnit.SECONDS);
    }
  }

  @Test
  @Timeout(10)
  void connecting_does_not_wait_for_a_carrier_of_virtual_threads() {
    var done = new AtomicBoolean();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      var _ =
          Thread.startVirtualThread(() -> {
            while (!done.get()) {
              Thread.onSpinWait();
            }
          });
    }
    try {
      link.connect();
    } finally {
      done.set(true);
    }

    assertThat(connectionId()).isPositive();
  }

  private long connectionId() {
    return link.run(commands -> commands.clientId());
  }

  private AsyncCommand<String, String, String> sendUnanswered() {
    var command =
        new AsyncCommand<>(
            new Command<String, String, String>(
                CommandType.PING, new StatusOutput<>(StringCodec.ASCII)));
    var _ = link.send(commands -> command);
    return command;
  }
}
