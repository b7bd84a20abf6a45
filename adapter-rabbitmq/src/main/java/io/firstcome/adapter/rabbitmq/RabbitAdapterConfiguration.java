package io.firstcome.adapter.rabbitmq;

import io.firstcome.application.recording.KeepDeadLetters;
import io.firstcome.application.recording.RecordAcceptedClaims;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.BrokerCheck;
import io.firstcome.domain.port.ClaimDeliveries;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.usercoupon.CodeKeys;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * The RabbitMQ adapters and listeners as Spring beans, over a connection factory. They start
 * without a broker: everything is declared when a connection is made, and the listeners retry.
 *
 * <p>The connection factory must have correlated publisher confirms and publisher returns,
 * otherwise the application does not start.
 */
@Configuration(proxyBeanMethods = false)
public class RabbitAdapterConfiguration {

  @Bean
  RabbitAdmin rabbitAdmin(ConnectionFactory connectionFactory) {
    var admin = new RabbitAdmin(connectionFactory);
    // Callers retry anyway; retries here would only make them wait.
    admin.setRetryTemplate(null);
    return admin;
  }

  @Bean
  Declarables rabbitDeclarables(RabbitLimits limits) {
    return RabbitTopology.declarables(limits);
  }

  @Bean
  RabbitTopology rabbitTopology(RabbitAdmin rabbitAdmin, RabbitLimits limits) {
    return new RabbitTopology(rabbitAdmin, limits.repairPause());
  }

  @Bean
  BoundedCalls rabbitCalls(RabbitLimits limits) {
    return new BoundedCalls(limits.concurrentCalls(), limits.callTime());
  }

  @Bean
  ClaimMessages claimMessages(CodeKeys keys) {
    return new ClaimMessages(keys);
  }

  @Bean
  ClaimPublisher claimPublisher(
      ConnectionFactory connectionFactory,
      RabbitTopology topology,
      BoundedCalls calls,
      ClaimMessages format,
      RabbitLimits limits) {
    var names = new RabbitNames(limits.prefix());
    var publisher =
        new ConfirmedPublisher(connectionFactory, names.exchange(), topology, calls, limits);
    return new RabbitClaimPublisher(publisher, format, names, limits);
  }

  @Bean
  EventPublisher eventPublisher(
      ConnectionFactory connectionFactory, RabbitTopology topology, RabbitLimits limits) {
    return new RabbitEventPublisher(connectionFactory, topology, limits);
  }

  @Bean
  ClaimMessageReader claimMessageReader(ClaimMessages format) {
    return new RabbitMessageReader(format);
  }

  @Bean
  ClaimQueue claimQueue(
      ConnectionFactory connectionFactory,
      RabbitTopology topology,
      BoundedCalls calls,
      RabbitLimits limits) {
    return new RabbitClaimQueue(
        connectionFactory, topology, calls, new RabbitNames(limits.prefix()));
  }

  @Bean
  BrokerCheck brokerCheck(
      ConnectionFactory connectionFactory, BoundedCalls calls, RabbitLimits limits) {
    return new RabbitBrokerCheck(connectionFactory, calls, limits);
  }

  @Bean
  ServerSettings rabbitServerSettings(
      ConnectionFactory connectionFactory, BoundedCalls calls, RabbitLimits limits) {
    return new RabbitServerSettings(connectionFactory, calls, RabbitTopology.claims(limits));
  }

  /**
   * The claim listener, with its own lifecycle: started with the application or later, stopped
   * first.
   */
  @Bean
  SimpleMessageListenerContainer claimListenerContainer(
      ConnectionFactory connectionFactory, RabbitClaimListener claimListener, RabbitLimits limits) {
    return claimContainer(connectionFactory, claimListener, limits);
  }

  @Bean
  RabbitClaimListener claimListener(
      RecordAcceptedClaims recordAcceptedClaims,
      KeepDeadLetters keepDeadLetters,
      ClaimMessages format,
      IssuanceObserver observer,
      RabbitLimits limits) {
    return new RabbitClaimListener(
        recordAcceptedClaims::record, keepDeadLetters::keepUnreadable, format, observer, limits);
  }

  /**
   * Watches the listener of claims.
   *
   * @param claimListenerContainer of two containers the one with this name
   */
  @Bean
  ClaimDeliveries claimDeliveries(
      ConnectionFactory connectionFactory,
      SimpleMessageListenerContainer claimListenerContainer,
      RabbitClaimListener listener,
      ClaimQueue queue,
      IssuanceObserver observer) {
    return new RabbitClaimDeliveries(
        connectionFactory, claimListenerContainer, listener, queue, observer);
  }

  /** The listener that moves dead letters to the database, where operators can read them. */
  @Bean
  SimpleMessageListenerContainer deadLetterListenerContainer(
      ConnectionFactory connectionFactory,
      KeepDeadLetters keepDeadLetters,
      ClaimMessages format,
      IssuanceObserver observer,
      RabbitLimits limits) {
    var listener =
        new RabbitClaimListener(
            keepDeadLetters::keepUndelivered,
            keepDeadLetters::keepUnreadable,
            format,
            observer,
            limits);
    return deadLetterContainer(connectionFactory, listener, limits);
  }

  static SimpleMessageListenerContainer claimContainer(
      ConnectionFactory connectionFactory, RabbitClaimListener listener, RabbitLimits limits) {
    var container = container(connectionFactory, listener, limits);
    container.setQueueNames(new RabbitNames(limits.prefix()).claims());
    container.setConcurrentConsumers(limits.recorders());
    return container;
  }

  static SimpleMessageListenerContainer deadLetterContainer(
      ConnectionFactory connectionFactory, RabbitClaimListener listener, RabbitLimits limits) {
    var container = container(connectionFactory, listener, limits);
    container.setQueueNames(new RabbitNames(limits.prefix()).deadLetters());
    return container;
  }

  /** A container that hands batches to the listener, which acknowledges them itself. */
  private static SimpleMessageListenerContainer container(
      ConnectionFactory connectionFactory, RabbitClaimListener listener, RabbitLimits limits) {
    var container = new SimpleMessageListenerContainer(connectionFactory);
    container.setMessageListener(listener);
    container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
    container.setPrefetchCount(limits.prefetch());
    container.setConsumerBatchEnabled(true);
    container.setBatchingStrategy(ClaimMessages.leftWhole());
    container.setBatchSize(limits.batch());
    // The first bounds the whole batch, the second the wait for its next message.
    container.setBatchReceiveTimeout(limits.batchWait().toMillis());
    container.setReceiveTimeout(limits.batchWait().toMillis());
    // Platform threads: few, and blocked recorders must not occupy the carriers of requests.
    container.setTaskExecutor(new SimpleAsyncTaskExecutor("recorder-"));
    container.setAutoStartup(limits.listens());
    keepTrying(container, limits);
    // Batches in progress are finished, prefetched messages go back to the queue.
    container.setForceStop(true);
    container.setShutdownTimeout(limits.stopTime().toMillis());
    return container;
  }

  /** By default a missing queue or a refused login would stop the listener permanently. */
  private static void keepTrying(SimpleMessageListenerContainer container, RabbitLimits limits) {
    container.setMissingQueuesFatal(false);
    // New connections and RabbitTopology declare the queues. The container would log a stack trace
    // for each of its own attempts while the broker is not reachable.
    container.setAutoDeclare(false);
    container.setPossibleAuthenticationFailureFatal(false);
    container.setRecoveryInterval(limits.reconnectPause().toMillis());
    container.setFailedDeclarationRetryInterval(limits.reconnectPause().toMillis());
  }
}
