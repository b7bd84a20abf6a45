package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.BrokerUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.connection.CorrelationData.Confirm;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Publishes messages that must reach a queue to one exchange and returns when the broker has
 * confirmed all of them. A batch is sent as a whole before its first confirmation is awaited.
 *
 * <p>RabbitMQ acknowledges unroutable messages too. So a message counts as published when it is
 * acknowledged <em>and</em> was not returned.
 */
final class ConfirmedPublisher {

  private final RabbitTemplate template;
  private final String exchange;
  private final RabbitTopology topology;
  private final BoundedCalls calls;
  private final Duration within;

  /** A persistent message and its routing key. */
  record Outgoing(String routingKey, Message message) {}

  /**
   * @throws IllegalStateException if the connections have no correlated confirms or no returns
   */
  ConfirmedPublisher(
      ConnectionFactory connectionFactory,
      String exchange,
      RabbitTopology topology,
      BoundedCalls calls,
      RabbitLimits limits) {
    requireConfirmsAndReturns(connectionFactory);
    this.template = new RabbitTemplate(connectionFactory);
    // A separate connection, so that a broker that blocks publishers still accepts acks.
    template.setUsePublisherConnection(true);
    template.setMandatory(true);
    // Returns are read from the correlation data; without a callback each would be logged.
    template.setReturnsCallback(returned -> {});
    this.exchange = exchange;
    this.topology = topology;
    this.calls = calls;
    this.within = limits.callTime();
  }

  /**
   * Publishes all messages.
   *
   * @throws BrokerUnavailableException unless all are confirmed in time and none is returned
   */
  void publish(List<Outgoing> messages) {
    if (messages.isEmpty()) {
      return;
    }
    long end = System.nanoTime() + within.toNanos();
    String what = "publishing %d messages to %s".formatted(messages.size(), exchange);
    calls.call(
        what,
        () -> {
          topology.repair();
          return template.invoke(operations -> sendAll(operations, messages, end));
        });
  }

  private boolean sendAll(RabbitOperations operations, List<Outgoing> messages, long end) {
    try {
      List<CorrelationData> correlations = new ArrayList<>(messages.size());
      for (Outgoing one : messages) {
        if (System.nanoTime() - end > 0) {
          throw new BrokerUnavailableException("sending took too long", null);
        }
        var correlation = new CorrelationData();
        operations.send(exchange, one.routingKey(), one.message(), correlation);
        correlations.add(correlation);
      }
      for (CorrelationData correlation : correlations) {
        requireConfirmed(correlation, end);
      }
      return true;
    } catch (RuntimeException e) {
      // Without the queue the message is returned, without the exchange the channel is closed.
      topology.suspect();
      throw e;
    }
  }

  private static void requireConfirmed(CorrelationData correlation, long end) {
    Confirm confirm = await(correlation, end);
    if (correlation.getReturned() != null) {
      throw new BrokerUnavailableException("the message could not be routed to a queue", null);
    }
    if (!confirm.ack()) {
      throw new BrokerUnavailableException("refused by the broker: " + confirm.reason(), null);
    }
  }

  private static Confirm await(CorrelationData correlation, long end) {
    try {
      long left = Math.max(0, end - System.nanoTime());
      return correlation.getFuture().get(left, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BrokerUnavailableException("interrupted", e);
    } catch (TimeoutException | ExecutionException e) {
      throw new BrokerUnavailableException("no confirmation in time", e);
    }
  }

  private static void requireConfirmsAndReturns(ConnectionFactory connectionFactory) {
    if (!connectionFactory.isPublisherConfirms() || !connectionFactory.isPublisherReturns()) {
      throw new IllegalStateException(
          "publishing claims requires publisher confirms and returns: set"
              + " spring.rabbitmq.publisher-confirm-type=correlated and"
              + " spring.rabbitmq.publisher-returns=true");
    }
  }
}
