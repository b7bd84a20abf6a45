package io.firstcome.adapter.rabbitmq;

import static io.firstcome.adapter.rabbitmq.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.broker.BrokerContract;
import io.firstcome.contracts.broker.BrokerFixture;
import io.firstcome.devservices.DevServices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The broker's contract on Qpid, which replies differently to unroutable messages. */
final class QpidBrokerContractIT extends BrokerContract {

  private final RabbitFixture fixture = new RabbitFixture(DevServices.shared().qpid());

  @Override
  protected BrokerFixture broker() {
    return fixture;
  }

  /** Qpid also counts messages that recorders hold, so a drain waits longer than necessary. */
  @Override
  @Test
  protected void messages_are_waiting_until_they_are_delivered_to_a_recorder() {
    publishSeparately(5);
    broker().hold(2);
    assertThat(broker().queue().waiting()).isEqualTo(5);

    broker().acknowledgeHeld();
    eventually(3L, () -> broker().queue().waiting());
  }

  @AfterEach
  void close() {
    fixture.close();
  }
}
