package io.firstcome.adapter.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.BrokerCheck;
import io.firstcome.domain.port.ClaimDeliveries;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The adapter as the application wires it, with its own queues, and a second connection to inspect
 * them.
 */
final class RabbitRig implements AutoCloseable {

  /** The timeout of all waits; only a failing test reaches it. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  static final CodeKeys KEYS = new CodeKeys(Map.of(1, new byte[CodeKeys.MIN_KEY_BYTES]), 1);

  private static final ScopedValue<RabbitRig> RIG = ScopedValue.newInstance();
  private static final AtomicInteger RIGS = new AtomicInteger();

  final RabbitNames names;
  final FailedRounds failedRounds = new FailedRounds();
  final KeptLetters kept = new KeptLetters();
  private final CachingConnectionFactory connectionFactory;
  private final RabbitLimits limits;
  private final ClaimRecorder recorder;
  private final AnnotationConfigApplicationContext context;
  private final AmqpServer server;
  private com.rabbitmq.client.@Nullable Connection outside;

  RabbitRig(AmqpServer server) {
    this(server, server.port(), TestLimits.notListening(), entries -> {});
  }

  RabbitRig(AmqpServer server, int port, RabbitLimits limits, ClaimRecorder recorder) {
    this.server = server;
    this.names = new RabbitNames(limits.prefix());
    this.connectionFactory = new CachingConnectionFactory(server.host(), port);
    connectionFactory.setUsername(server.user());
    connectionFactory.setPassword(server.password());
    connectionFactory.setPublisherConfirmType(ConfirmType.CORRELATED);
    connectionFactory.setPublisherReturns(true);
    this.limits = limits;
    this.recorder = recorder;
    this.context = new AnnotationConfigApplicationContext();
    context.register(RabbitAdapterConfiguration.class, Surroundings.class);
    ScopedValue.where(RIG, this).run(context::refresh);
  }

  static String newPrefix() {
    return "it-%d-%d".formatted(ProcessHandle.current().pid(), RIGS.incrementAndGet());
  }

  ClaimPublisher publisher() {
    return context.getBean(ClaimPublisher.class);
  }

  EventPublisher events() {
    return context.getBean(EventPublisher.class);
  }

  ClaimQueue queue() {
    return context.getBean(ClaimQueue.class);
  }

  ClaimDeliveries deliveries() {
    return context.getBean(ClaimDeliveries.class);
  }

  BrokerCheck check() {
    return context.getBean(BrokerCheck.class);
  }

  ServerSettings settings() {
    return context.getBean(ServerSettings.class);
  }

  SimpleMessageListenerContainer container() {
    return context.getBean("claimListenerContainer", SimpleMessageListenerContainer.class);
  }

  SimpleMessageListenerContainer deadLetterContainer() {
    return context.getBean("deadLetterListenerContainer", SimpleMessageListenerContainer.class);
  }

  /** Makes the adapter connect to another port. */
  void connectTo(int port) {
    connectionFactory.setPort(port);
    connectionFactory.resetConnection();
  }

  /** Closes the adapter's connections; it may reconnect. */
  void cutConnections() {
    connectionFactory.resetConnection();
  }

  /** The broker does not inform this client from now on that it has ended a consumer. */
  void ignoreCancellations() {
    var client = connectionFactory.getRabbitConnectionFactory().getClientProperties();
    client.put("capabilities", Map.of("consumer_cancel_notify", false, "publisher_confirms", true));
    connectionFactory.resetConnection();
  }

  /** A new channel that bypasses the adapter, after everything is declared. */
  Channel outside() {
    queue().waiting();
    return channel();
  }

  /** A new channel that bypasses the adapter. */
  Channel channel() {
    try {
      com.rabbitmq.client.Connection connection = outside;
      if (connection == null || !connection.isOpen()) {
        var factory = new com.rabbitmq.client.ConnectionFactory();
        factory.setHost(server.host());
        factory.setPort(server.port());
        factory.setUsername(server.user());
        factory.setPassword(server.password());
        factory.setAutomaticRecoveryEnabled(false);
        connection = factory.newConnection();
        outside = connection;
      }
      return connection.createChannel();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Publishes a body to the queue of claims, bypassing the adapter. */
  void publishRaw(byte[] body) {
    publishRaw(body, Map.of());
  }

  /** Publishes a body with headers to the queue of claims, bypassing the adapter. */
  void publishRaw(byte[] body, Map<String, Object> headers) {
    try {
      AMQP.BasicProperties properties =
          MessageProperties.PERSISTENT_BASIC.builder().headers(headers).build();
      outside().basicPublish(names.exchange(), names.claims(), properties, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the queue's next message and takes it; null if none arrives in time. */
  static @Nullable GetResponse get(Channel channel, String queue) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      GetResponse response = channel.basicGet(queue, false);
      while (response == null && System.nanoTime() - end < 0) {
        response = channel.basicGet(queue, false);
      }
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether the queue is empty. Messages that a consumer held are back in it when the consumer has
   * stopped.
   */
  static boolean isEmpty(Channel channel, String queue) {
    try {
      return channel.basicGet(queue, false) == null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      context.close();
      Channel channel = channel();
      channel.queueDelete(names.claims());
      channel.queueDelete(names.deadLetters());
      channel.exchangeDelete(names.exchange());
      channel.exchangeDelete(names.events());
      channel.getConnection().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The beans that the application provides; the containers call test recorders, not use cases. */
  @Configuration(proxyBeanMethods = false)
  static class Surroundings {

    private final RabbitRig rig = RIG.get();

    @Bean
    ConnectionFactory connectionFactory() {
      return rig.connectionFactory;
    }

    @Bean
    RabbitLimits limits() {
      return rig.limits;
    }

    @Bean
    CodeKeys codeKeys() {
      return KEYS;
    }

    @Bean
    IssuanceObserver observer() {
      return rig.failedRounds;
    }

    @Bean
    RabbitClaimListener claimListener() {
      return listener(rig.recorder);
    }

    @Bean
    SimpleMessageListenerContainer deadLetterListenerContainer() {
      return RabbitAdapterConfiguration.deadLetterContainer(
          rig.connectionFactory, listener(rig.kept::keepUndelivered), rig.limits);
    }

    private RabbitClaimListener listener(ClaimRecorder recorder) {
      return new RabbitClaimListener(
          recorder,
          rig.kept::keepUnreadable,
          new ClaimMessages(KEYS),
          rig.failedRounds,
          rig.limits);
    }
  }
}
