package io.firstcome.adapter.rabbitmq;

import static io.firstcome.adapter.rabbitmq.Eventually.eventually;
import static io.firstcome.adapter.rabbitmq.RabbitClaimListenerIT.isPublished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.GetResponse;
import io.firstcome.contracts.broker.BrokerFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Publishing to RabbitMQ when a queue or exchange is missing, a queue refuses or the broker is
 * silent.
 */
final class RabbitClaimPublisherIT {

  private final AmqpServer server = DevServices.shared().rabbitmq();
  private final List<HandoffEntry> entries = BrokerFixtures.entries(3);

  @Test
  void messages_are_persistent_and_have_their_version_and_entry_id() {
    try (var rig = new RabbitRig(server)) {
      rig.publisher().publish(entries.subList(0, 1));

      GetResponse message =
          Objects.requireNonNull(RabbitRig.get(rig.outside(), rig.names.claims()));
      assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
      assertThat(message.getProps().getContentType()).isEqualTo("application/json");
      assertThat(message.getProps().getHeaders()).containsEntry(JsonMessages.VERSION_HEADER, 1);
      assertThat(message.getProps().getMessageId()).isEqualTo("3/2/1777626000123-1");
    }
  }

  @Test
  void a_deleted_queue_is_an_exception_and_is_then_declared_again() throws IOException {
    try (var rig = new RabbitRig(server)) {
      rig.publisher().publish(entries);
      rig.outside().queueDelete(rig.names.claims());

      assertUnavailable(rig, "could not be routed to a queue");

      eventually(true, () -> isPublished(rig, entries));
      assertThat(rig.queue().waiting()).isEqualTo(3);
    }
  }

  @Test
  void a_deleted_exchange_is_an_exception_and_is_then_declared_again() throws IOException {
    try (var rig = new RabbitRig(server)) {
      rig.publisher().publish(entries);
      rig.outside().exchangeDelete(rig.names.exchange());

      assertUnavailable(rig, "");

      eventually(true, () -> isPublished(rig, entries));
      assertThat(rig.queue().waiting()).isEqualTo(6);
    }
  }

  @Test
  void a_queue_that_refuses_a_message_is_an_exception() throws IOException {
    try (var rig = new RabbitRig(server)) {
      var channel = rig.outside();
      channel.queueUnbind(rig.names.claims(), rig.names.exchange(), rig.names.claims());
      String full = rig.names.prefix() + ".full";
      channel.queueDeclare(
          full, false, true, true, Map.of("x-max-length", 0, "x-overflow", "reject-publish"));
      channel.queueBind(full, rig.names.exchange(), rig.names.claims());

      assertUnavailable(rig, "refused by the broker");
    }
  }

  @Test
  void a_broker_that_never_replies_is_an_exception_within_the_timeout() throws IOException {
    var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    RabbitLimits limits = TestLimits.impatient();
    try (var rig = new RabbitRig(server, silent.getLocalPort(), limits, batch -> {})) {
      try (silent) {
        long start = System.nanoTime();

        // More calls than may be in flight.
        for (int i = 0; i < 4; i++) {
          assertUnavailable(rig, "");
        }

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
      }
    }
  }

  private void assertUnavailable(RabbitRig rig, String message) {
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> rig.publisher().publish(entries))
        .withMessageContaining(message);
  }
}
