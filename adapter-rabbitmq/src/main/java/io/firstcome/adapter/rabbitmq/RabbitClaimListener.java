package io.firstcome.adapter.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;

/**
 * Passes batches of claim messages to the recorder, and acknowledges them when it has returned.
 *
 * <p>The recorder itself waits while the database is not reachable, and the messages stay
 * unacknowledged. So an exception is a bug. The batch is then retried message by message, and a
 * message that fails is retried entry by entry. Only messages with a failing entry go back to the
 * queue, after a pause, until the queue's delivery limit makes them dead letters; their claims are
 * still in the hand-off log. Undecodable content is stored as a dead letter immediately.
 *
 * <p>No exception leaves this class: the container would only log it. An {@link Error} is treated
 * like an exception, because the container would end the whole process.
 */
final class RabbitClaimListener implements ChannelAwareBatchMessageListener {

  /** Set by quorum queues on redelivered messages. */
  private static final String DELIVERY_COUNT_HEADER = "x-delivery-count";

  /** Enough to reach any maximum; more would overflow. */
  private static final int MAX_DOUBLINGS = 20;

  private final ClaimRecorder recorder;
  private final UnreadableMessages unreadable;
  private final IssuanceObserver observer;
  private final RabbitLimits limits;
  private final ClaimMessages format;
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong handled = new AtomicLong();

  RabbitClaimListener(
      ClaimRecorder recorder,
      UnreadableMessages unreadable,
      ClaimMessages format,
      IssuanceObserver observer,
      RabbitLimits limits) {
    this.recorder = recorder;
    this.format = format;
    this.unreadable = unreadable;
    this.observer = observer;
    this.limits = limits;
  }

  @Override
  public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
    Objects.requireNonNull(channel, "channel");
    received.incrementAndGet();
    try {
      recordOrRequeue(messages, channel);
    } catch (InterruptedException e) {
      // The container stops: it closes the channel, and the broker requeues what is not acked.
      Thread.currentThread().interrupt();
    } catch (IOException | AmqpException | ShutdownSignalException | IllegalStateException e) {
      // The channel is closed, so the messages are redelivered; the container recovers by itself.
      observer.observe(new OperationObservation.RoundFailed("acknowledge claim messages", e));
    } finally {
      handled.incrementAndGet();
    }
  }

  /** The number of batches that the broker has delivered so far. */
  long batchesReceived() {
    return received.get();
  }

  /** Whether a batch is being handled. */
  boolean isBusy() {
    return handled.get() != received.get();
  }

  private void recordOrRequeue(List<Message> messages, Channel channel)
      throws IOException, InterruptedException {
    List<Message> failed = new ArrayList<>();
    List<Message> done = new ArrayList<>();
    try {
      List<Delivery> deliveries = messages.stream().map(this::read).toList();
      boolean allRecorded = isRecorded(entries(deliveries));
      for (Delivery delivery : deliveries) {
        boolean recorded = allRecorded || isRecordedAlone(delivery, deliveries.size() == 1);
        (areStored(delivery.content().undecoded()) && recorded ? done : failed)
            .add(delivery.message());
      }
    } catch (Error e) {
      observer.observe(new OperationObservation.RoundFailed("read claim messages", e));
      requeue(messages, channel);
      return;
    }
    acknowledge(done, channel);
    requeue(failed, channel);
  }

  private Delivery read(Message message) {
    return new Delivery(message, format.read(message));
  }

  private static List<HandoffEntry> entries(List<Delivery> deliveries) {
    return deliveries.stream().flatMap(one -> one.content().entries().stream()).toList();
  }

  /** Retries a message whose batch failed, and records each of its entries that can be recorded. */
  private boolean isRecordedAlone(Delivery delivery, boolean wasAlone) throws InterruptedException {
    List<HandoffEntry> entries = delivery.content().entries();
    if (!wasAlone && isRecorded(entries)) {
      return true;
    }
    if (entries.size() == 1) {
      return false;
    }
    boolean all = true;
    for (HandoffEntry entry : entries) {
      all &= isRecorded(List.of(entry));
    }
    return all;
  }

  private boolean isRecorded(List<HandoffEntry> entries) throws InterruptedException {
    try {
      if (!entries.isEmpty()) {
        recorder.record(entries);
      }
      return true;
    } catch (RuntimeException | Error e) {
      observer.observe(new OperationObservation.RoundFailed("record claims", e));
      return false;
    }
  }

  private boolean areStored(List<ClaimMessages.Undecoded> undecoded) throws InterruptedException {
    try {
      for (ClaimMessages.Undecoded one : undecoded) {
        observer.observe(
            new OperationObservation.RoundFailed("decode a claim message", one.problem()));
        unreadable.keep(one.part().getBody(), one.problem().reason());
      }
      return true;
    } catch (RuntimeException | Error e) {
      observer.observe(new OperationObservation.RoundFailed("keep an undecodable message", e));
      return false;
    }
  }

  private static void acknowledge(List<Message> messages, Channel channel) throws IOException {
    for (Message message : messages) {
      channel.basicAck(message.getMessageProperties().getDeliveryTag(), false);
    }
  }

  private void requeue(List<Message> messages, Channel channel)
      throws IOException, InterruptedException {
    if (messages.isEmpty()) {
      return;
    }
    Thread.sleep(pauseBefore(messages));
    for (Message message : messages) {
      channel.basicNack(message.getMessageProperties().getDeliveryTag(), false, true);
    }
  }

  /** Doubles with each delivery of the message that was delivered most often. */
  private Duration pauseBefore(List<Message> messages) {
    long deliveries = messages.stream().mapToLong(RabbitClaimListener::deliveries).max().orElse(0);
    long factor = 1L << Math.min(deliveries, MAX_DOUBLINGS);
    Duration pause = limits.failurePause().multipliedBy(factor);
    return pause.compareTo(limits.maxFailurePause()) < 0 ? pause : limits.maxFailurePause();
  }

  private static long deliveries(Message message) {
    Object count = message.getMessageProperties().getHeader(DELIVERY_COUNT_HEADER);
    return count instanceof Number number ? number.longValue() : 0;
  }

  private record Delivery(Message message, ClaimMessages.Content content) {}
}
