package io.firstcome.adapter.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.DevServices;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the adapter sees of a broker that works, and of one that does not. */
final class RabbitBrokerCheckIT {

  @TempDir static Path folder;

  @Test
  void recorders_are_counted_and_the_message_reaches_nobody() {
    try (var rig = new RabbitRig(DevServices.shared().rabbitmq())) {
      rig.container().stop();
      assertThat(rig.check().check().recorders()).isZero();
      assertThat(rig.check().check().waiting()).isZero();

      rig.container().start();
      assertThat(rig.check().check().recorders()).isPositive();
    }
  }

  @Test
  void another_broker_is_checked_in_the_same_way() {
    try (var rig = new RabbitRig(DevServices.shared().qpid())) {
      rig.container().start();
      assertThat(rig.check().check().recorders()).isPositive();
    }
  }

  @Test
  void a_frozen_broker_does_not_confirm() {
    try (var services = DevServices.in(folder)) {
      var broker = services.rabbitmq();
      try (var rig = new RabbitRig(broker)) {
        assertThat(rig.check().check().waiting()).isZero();
        broker.pause();
        try {
          assertThatThrownBy(() -> rig.check().check())
              .isInstanceOf(BrokerUnavailableException.class);
        } finally {
          broker.resume();
        }
      }
    }
  }
}
