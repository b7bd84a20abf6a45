package io.firstcome.adapter.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import io.firstcome.devservices.DevServices;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The weaknesses that the adapter finds in its broker and its queue. */
final class RabbitServerSettingsIT {

  @Test
  void rabbitmq_with_the_queue_that_the_service_declares_has_no_weakness() {
    try (var rig = new RabbitRig(DevServices.shared().rabbitmq())) {
      assertThat(rig.settings().weaknesses()).isEmpty();
      assertThat(rig.settings().weaknesses()).isEmpty();
    }
  }

  @Test
  void a_broker_other_than_rabbitmq_is_reported() {
    try (var rig = new RabbitRig(DevServices.shared().qpid())) {
      var weakness = onlyWeakness(rig);
      assertThat(weakness.setting()).isEqualTo("product");
      assertThat(weakness.found()).contains("Qpid");
      assertThat(weakness.wanted()).isEqualTo("RabbitMQ");
    }
  }

  @Test
  void an_existing_classic_queue_is_reported() throws IOException {
    try (var rig = new RabbitRig(DevServices.shared().rabbitmq())) {
      rig.channel().queueDeclare(rig.names.claims(), true, false, false, Map.of());

      var weakness = onlyWeakness(rig);
      assertThat(weakness.setting()).startsWith("x-").endsWith(" of " + rig.names.claims());
      assertThat(weakness.found()).isEqualTo("none");
      assertThat(weakness.wanted()).endsWith("of a durable quorum queue");
    }
  }

  @Test
  void a_queue_that_is_not_durable_is_reported() throws IOException {
    try (var rig = new RabbitRig(DevServices.shared().rabbitmq())) {
      rig.channel().queueDeclare(rig.names.claims(), false, false, false, Map.of());

      assertThat(onlyWeakness(rig).sentence())
          .startsWith(
              "AMQP broker: durable of %s is false and should be true, of a durable quorum queue; "
                  .formatted(rig.names.claims()));
    }
  }

  @Test
  void a_queue_that_was_replaced_during_the_connection_is_reported() throws IOException {
    try (var rig = new RabbitRig(DevServices.shared().rabbitmq())) {
      Channel outside = rig.outside();
      outside.queueDelete(rig.names.claims());
      outside.queueDeclare(
          rig.names.claims(), true, false, false, Map.of("x-queue-type", "classic"));

      assertThat(onlyWeakness(rig).wanted()).endsWith("of a durable quorum queue");
    }
  }

  @Test
  void an_unreachable_broker_is_an_exception() {
    try (var rig = new RabbitRig(DevServices.shared().rabbitmq())) {
      rig.connectTo(ClosedPort.find());
      assertThatThrownBy(() -> rig.settings().weaknesses())
          .isInstanceOf(BrokerUnavailableException.class);
    }
  }

  private static Weakness onlyWeakness(RabbitRig rig) {
    var weaknesses = rig.settings().weaknesses();
    assertThat(weaknesses).hasSize(1);
    return weaknesses.getFirst();
  }
}
