package io.firstcome.adapter.rabbitmq;

import io.firstcome.contracts.broker.BrokerContract;
import io.firstcome.contracts.broker.BrokerFixture;
import io.firstcome.devservices.DevServices;
import org.junit.jupiter.api.AfterEach;

/** The broker's contract on RabbitMQ. */
final class RabbitBrokerContractIT extends BrokerContract {

  private final RabbitFixture fixture = new RabbitFixture(DevServices.shared().rabbitmq());

  @Override
  protected BrokerFixture broker() {
    return fixture;
  }

  @AfterEach
  void close() {
    fixture.close();
  }
}
