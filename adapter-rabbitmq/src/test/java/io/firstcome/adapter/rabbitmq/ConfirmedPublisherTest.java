package io.firstcome.adapter.rabbitmq;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitAdmin;

/** The required settings of a connection factory; no connection is made. */
final class ConfirmedPublisherTest {

  private final CachingConnectionFactory connectionFactory = new CachingConnectionFactory();

  @Test
  void a_publisher_requires_publisher_confirms() {
    connectionFactory.setPublisherReturns(true);

    assertThatIllegalStateException()
        .isThrownBy(this::publisher)
        .withMessageContaining("publisher-confirm-type=correlated");
  }

  @Test
  void simple_confirms_are_not_sufficient() {
    connectionFactory.setPublisherReturns(true);
    connectionFactory.setPublisherConfirmType(ConfirmType.SIMPLE);

    assertThatIllegalStateException().isThrownBy(this::publisher);
  }

  @Test
  void a_publisher_requires_publisher_returns() {
    connectionFactory.setPublisherConfirmType(ConfirmType.CORRELATED);

    assertThatIllegalStateException()
        .isThrownBy(this::publisher)
        .withMessageContaining("publisher-returns=true");
  }

  @Test
  void with_confirms_and_returns_a_publisher_is_created_without_a_broker() {
    connectionFactory.setPublisherConfirmType(ConfirmType.CORRELATED);
    connectionFactory.setPublisherReturns(true);

    assertThatCode(this::publisher).doesNotThrowAnyException();
  }

  private ConfirmedPublisher publisher() {
    RabbitLimits limits = RabbitLimits.defaults();
    var calls = new BoundedCalls(limits.concurrentCalls(), limits.callTime());
    var topology = new RabbitTopology(new RabbitAdmin(connectionFactory), limits.repairPause());
    return new ConfirmedPublisher(connectionFactory, "exchange", topology, calls, limits);
  }
}
