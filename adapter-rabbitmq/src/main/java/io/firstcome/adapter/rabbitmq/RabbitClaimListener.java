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
 * exception is a bug, and the batch is tried again message by message: only those that fail alone
 * go back to the queue, after a pause, until the queue's delivery limit makes dead letters of them.
 * Their claims are still in the log then. What cannot be decoded is kept apart at once.
 *
 * <p>No exception leaves this class: the container would log it, and do nothing else with it.
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
  private final ClaimMessageCodec codec = new ClaimMessageCodec();

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
      List<Message> failed = new ArrayList<>();
      List<Undecoded> undecoded = new ArrayList<>();
      acknowledge(recorded(decoded(messages, undecoded), failed), channel);
      acknowledge(kept(undecoded, failed), channel);
      giveBack(failed, channel);
    } catch (InterruptedException e) {
      // The container stops: it closes the channel, and the broker takes back what is not acked.
      Thread.currentThread().interrupt();
    } catch (IOException | AmqpException | ShutdownSignalException | IllegalStateException e) {
      // The channel is gone and the messages come again; the container notices by itself.
      observer.roundFailed("acknowledge claim messages", e);
    }
  }

  private List<Decoded> decoded(List<Message> messages, List<Undecoded> undecoded) {
    List<Decoded> decoded = new ArrayList<>(messages.size());
    for (Message message : messages) {
      try {
        decoded.add(new Decoded(message, codec.decode(message.getBody())));
      } catch (UndecodableMessageException e) {
        observer.roundFailed("decode a claim message", e);
        undecoded.add(new Undecoded(message, e.reason()));
      }
    }
    return decoded;
  }

  /** Returns the messages that were recorded, together or alone; the others are failed. */
  private List<Message> recorded(List<Decoded> decoded, List<Message> failed)
      throws InterruptedException {
    if (decoded.isEmpty() || isRecorded(decoded)) {
      return decoded.stream().map(Decoded::message).toList();
    }
    List<Message> recorded = new ArrayList<>();
    for (Decoded one : decoded) {
      boolean alone = decoded.size() > 1 && isRecorded(List.of(one));
      (alone ? recorded : failed).add(one.message());
    }
    return recorded;
  }

  private boolean isRecorded(List<Decoded> decoded) throws InterruptedException {
    try {
      recorder.record(decoded.stream().map(Decoded::entry).toList());
      return true;
    } catch (RuntimeException e) {
      observer.roundFailed("record claims", e);
      return false;
    }
  }

  private List<Message> kept(List<Undecoded> undecoded, List<Message> failed)
      throws InterruptedException {
    List<Message> kept = new ArrayList<>();
    for (Undecoded one : undecoded) {
      (isKept(one) ? kept : failed).add(one.message());
    }
    return kept;
  }

  private boolean isKept(Undecoded undecoded) throws InterruptedException {
    try {
      unreadable.keep(undecoded.message().getBody(), undecoded.reason());
      return true;
    } catch (RuntimeException e) {
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

  private record Decoded(Message message, HandoffEntry entry) {}

  private record Undecoded(Message message, String reason) {}
}
