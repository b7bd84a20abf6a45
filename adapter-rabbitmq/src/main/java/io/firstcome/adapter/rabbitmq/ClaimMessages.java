package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.issuance.HandoffEntry;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;

/**
 * Log entries in messages: several that go together share one, each in the format of {@link
 * ClaimMessageCodec} behind its length, as Spring AMQP writes batches. One that is alone is the
 * whole body.
 *
 * <p>What a message costs the broker hardly depends on its size: a quorum queue writes, delivers
 * and forgets each by a command of its own.
 */
final class ClaimMessages {

  private final ClaimMessageCodec codec = new ClaimMessageCodec();

  /**
   * What a message holds.
   *
   * @param entries in the order in which they were published
   * @param undecoded what is no entry of this release
   */
  record Content(List<HandoffEntry> entries, List<Undecoded> undecoded) {}

  /**
   * What is no entry.
   *
   * @param part of a message, or all of it
   */
  record Undecoded(Message part, UndecodableMessageException problem) {}

  /**
   * Writes the entries, in their order.
   *
   * @param bytesMax of a body, unless a single entry has more
   */
  List<Message> write(List<HandoffEntry> entries, int bytesMax) {
    List<Message> messages = new ArrayList<>();
    var batching = batching(entries.size(), bytesMax);
    for (HandoffEntry entry : entries) {
      var full = batching.addToBatch(null, null, codec.encode(entry));
      if (full != null) {
        messages.add(full.message());
      }
    }
    batching.releaseBatches().forEach(last -> messages.add(last.message()));
    return messages;
  }

  /** Reads a message, whatever it is. */
  Content read(Message message) {
    List<HandoffEntry> entries = new ArrayList<>();
    List<Undecoded> undecoded = new ArrayList<>();
    for (Message part : parts(message, undecoded)) {
      try {
        entries.add(codec.decode(part.getBody()));
      } catch (UndecodableMessageException e) {
        undecoded.add(new Undecoded(part, e));
      }
    }
    return new Content(entries, undecoded);
  }

  private static List<Message> parts(Message message, List<Undecoded> undecoded) {
    var batching = batching(1, 1);
    if (!batching.canDebatch(message.getMessageProperties())) {
      return List.of(message);
    }
    List<Message> parts = new ArrayList<>();
    try {
      batching.deBatch(message, parts::add);
    } catch (AmqpException | BufferUnderflowException e) {
      var problem = new UndecodableMessageException("entries that are not whole");
      undecoded.add(new Undecoded(message, problem));
      return List.of();
    }
    return parts;
  }

  /**
   * For the container, which else would take messages apart by itself: the listener would not see
   * which belong together and are acknowledged once, and one that is not whole would end the
   * consumer.
   */
  static BatchingStrategy leftWhole() {
    return new SimpleBatchingStrategy(1, 1, 0) {
      @Override
      public boolean canDebatch(MessageProperties properties) {
        return false;
      }
    };
  }

  /** One that never releases a batch because of the time. */
  private static BatchingStrategy batching(int entries, int bytesMax) {
    return new SimpleBatchingStrategy(Math.max(1, entries), bytesMax, 0);
  }
}
