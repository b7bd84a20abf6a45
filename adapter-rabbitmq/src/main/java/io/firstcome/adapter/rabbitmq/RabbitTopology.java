package io.firstcome.adapter.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.core.QueueBuilder.Overflow;
import org.springframework.amqp.core.TopicExchange;

/**
 * The exchange and queues of the hand-off, and the exchanges of events. They are declared on every
 * new connection, and again some time after a call on an open connection has shown that one of them
 * is missing.
 *
 * <p>Brokers without quorum queues or dead-lettering ignore those arguments; only the
 * dead-lettering of messages that were delivered too often depends on them.
 */
final class RabbitTopology {

  /**
   * How often a dead letter may be redelivered before the database has it. A queue without its own
   * limit has the broker's, which is 20 from RabbitMQ 4.0 on; beyond it the message is dropped.
   */
  private static final int DEAD_LETTER_DELIVERIES = 1_000_000;

  private final AmqpAdmin admin;
  private final Duration repairPause;
  private final AtomicReference<@Nullable Long> suspectSince = new AtomicReference<>();

  RabbitTopology(AmqpAdmin admin, Duration repairPause) {
    this.admin = admin;
    this.repairPause = repairPause;
  }

  static Declarables declarables(RabbitLimits limits) {
    var names = new RabbitNames(limits.prefix());
    var exchange = new DirectExchange(names.exchange(), true, false);
    Queue claims = claims(limits);
    Queue deadLetters =
        QueueBuilder.durable(names.deadLetters())
            .quorum()
            .deliveryLimit(DEAD_LETTER_DELIVERIES)
            .maxLength((long) limits.maxDeadLetters())
            .build();
    List<Declarable> all =
        List.of(
            exchange,
            new TopicExchange(names.events(), true, false),
            new TopicExchange(names.rehearsalEvents(), true, false),
            claims,
            deadLetters,
            BindingBuilder.bind(claims).to(exchange).with(names.claims()),
            BindingBuilder.bind(deadLetters).to(exchange).with(names.deadLetters()));
    return new Declarables(all);
  }

  /** The queue of accepted claims as it must be. */
  static Queue claims(RabbitLimits limits) {
    var names = new RabbitNames(limits.prefix());
    return QueueBuilder.durable(names.claims())
        .quorum()
        .deliveryLimit(limits.deliveryLimit())
        .maxLength((long) limits.maxMessages())
        .overflow(Overflow.rejectPublish)
        .deadLetterExchange(names.exchange())
        .deadLetterRoutingKey(names.deadLetters())
        .build();
  }

  /** Notes that a queue or exchange may be missing. */
  void suspect() {
    suspectSince.compareAndSet(null, System.nanoTime());
  }

  /**
   * Declares all queues and exchanges if {@link #suspect} was called at least the repair pause ago;
   * existing ones stay.
   */
  void repair() {
    Long since = suspectSince.get();
    if (since != null && System.nanoTime() - since >= repairPause.toNanos()) {
      admin.initialize();
      suspectSince.set(null);
    }
  }
}
