package io.firstcome.adapter.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.IssuanceObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;

/**
 * Brings batches of claim messages to the recorder, and acknowledges them when it has returned.
 *
 * <p>Waiting for an absent database happens inside the recorder, with the messages held. So an
 * exception is a bug, and the batch is tried again message by message, and what fails then entry by
 * entry: only messages with one that fails alone go back to the queue, after a pause, until the
 * queue's delivery limit makes dead letters of them. Their claims are still in the log then. What
 * cannot be decoded is kept apart at once.
 *
 * <p>No exception leaves this class: the container would log it, and do nothing else with it. An
 * error is treated like an exception, since the container would end the whole process for it.
 */
final class RabbitClaimListener implements ChannelAwareBatchMessageListener {

  /** Set by quorum queues on what they deliver again. */
  private static final String DELIVERY_COUNT_HEADER = "x-delivery-count";

  /** Enough to reach any maximum; more would overflow. */
  private static final int MAX_DOUBLINGS = 20;

  private final ClaimRecorder recorder;
  private final UnreadableMessages unreadable;
  private final IssuanceObserver observer;
  private final RabbitLimits limits;
  private final ClaimMessages format = new ClaimMessages();

  RabbitClaimListener(
      ClaimRecorder recorder,
      UnreadableMessages unreadable,
      IssuanceObserver observer,
      RabbitLimits limits) {
    this.recorder = recorder;
    this.unreadable = unreadable;
    this.observer = observer;
    this.limits = limits;
  }

  @Override
  public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
    Objects.requireNonNull(channel, "channel");
    try {
      recordOrGiveBack(messages, channel);
    } catch (InterruptedException e) {
      // The container stops: it closes the channel, and the broker takes back what is not acked.
      Thread.currentThread().interrupt();
    } catch (IOException | AmqpException | ShutdownSignalException | IllegalStateException e) {
      // The channel is gone and the messages come again; the container notices by itself.
      observer.roundFailed("acknowledge claim messages", e);
    }
  }

  private void recordOrGiveBack(List<Message> messages, Channel channel)
      throws IOException, InterruptedException {
    List<Message> failed = new ArrayList<>();
    List<Message> done = new ArrayList<>();
    try {
      List<Delivery> deliveries = messages.stream().map(this::read).toList();
      boolean allRecorded = isRecorded(entries(deliveries));
      for (Delivery delivery : deliveries) {
        boolean recorded = allRecorded || isRecordedAlone(delivery, deliveries.size() == 1);
        (areKept(delivery.content().undecoded()) && recorded ? done : failed)
            .add(delivery.message());
      }
    } catch (Error e) {
      observer.roundFailed("read claim messages", e);
      giveBack(messages, channel);
      return;
    }
    acknowledge(done, channel);
    giveBack(failed, channel);
  }

  private Delivery read(Message message) {
    return new Delivery(message, format.read(message));
  }

  private static List<HandoffEntry> entries(List<Delivery> deliveries) {
    return deliveries.stream().flatMap(one -> one.content().entries().stream()).toList();
  }

  /** After it has failed in its batch; whatever can be recorded of the message then is. */
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
      observer.roundFailed("record claims", e);
      return false;
    }
  }

  private boolean areKept(List<ClaimMessages.Undecoded> undecoded) throws InterruptedException {
    try {
      for (ClaimMessages.Undecoded one : undecoded) {
        observer.roundFailed("decode a claim message", one.problem());
        unreadable.keep(one.part().getBody(), one.problem().reason());
      }
      return true;
    } catch (RuntimeException | Error e) {
      observer.roundFailed("keep an undecodable message", e);
      return false;
    }
  }

  private static void acknowledge(List<Message> messages, Channel channel) throws IOException {
    for (Message message : messages) {
      channel.basicAck(message.getMessageProperties().getDeliveryTag(), false);
    }
  }

  private void giveBack(List<Message> messages, Channel channel)
      throws IOException, InterruptedException {
    if (messages.isEmpty()) {
      return;
    }
    Thread.sleep(pauseBefore(messages));
    for (Message message : messages) {
      channel.basicNack(message.getMessageProperties().getDeliveryTag(), false, true);
    }
  }

  /** Doubled with each delivery of the message that was delivered most often. */
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
