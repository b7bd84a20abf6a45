package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.batch.BatchingStrategy;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;

/**
 * Batches log entries into messages: entries that share a message are each in the format of {@link
 * ClaimMessageCodec}, authenticated by a {@link MessageSeal}, after their length, as Spring AMQP
 * writes batches. A single entry is the whole body.
 *
 * <p>The cost of a message for the broker hardly depends on its size: a quorum queue writes,
 * delivers and deletes each message by a separate command.
 */
final class ClaimMessages {

  private final ClaimMessageCodec codec = new ClaimMessageCodec();
  private final MessageSeal seal;

  ClaimMessages(CodeKeys keys) {
    this.seal = new MessageSeal(keys);
  }

  /**
   * The content of a message.
   *
   * @param entries in the order in which they were published
   * @param undecoded parts that this release cannot decode
   */
  record Content(List<HandoffEntry> entries, List<Undecoded> undecoded) {}

  /**
   * A part that cannot be decoded.
   *
   * @param part of a message, or the whole message
   */
  record Undecoded(Message part, UndecodableMessageException problem) {}

  /**
   * Writes the entries, in their order.
   *
   * @param bytesMax maximum size of a body; a larger entry has a message of its own
   */
  List<Message> write(List<HandoffEntry> entries, int bytesMax) {
    List<Message> messages = new ArrayList<>();
    var batching = batching(entries.size(), bytesMax);
    for (HandoffEntry entry : entries) {
      var full = batching.addToBatch(null, null, message(entry));
      if (full != null) {
        messages.add(full.message());
      }
    }
    batching.releaseBatches().forEach(last -> messages.add(last.message()));
    return messages;
  }

  private Message message(HandoffEntry entry) {
    return JsonMessages.of(
        seal.seal(codec.encode(entry)), ClaimMessageCodec.VERSION, entry.reference());
  }

  /** Reads a message, valid or not. */
  Content read(Message message) {
    List<HandoffEntry> entries = new ArrayList<>();
    List<Undecoded> undecoded = new ArrayList<>();
    for (Message part : parts(message, undecoded)) {
      try {
        entries.add(decode(part.getBody()));
      } catch (UndecodableMessageException e) {
        undecoded.add(new Undecoded(part, e));
      }
    }
    return new Content(entries, undecoded);
  }

  /**
   * Reads an entry.
   *
   * @throws UndecodableMessageException if it is not authenticated, or not valid
   */
  HandoffEntry decode(byte[] body) throws UndecodableMessageException {
    seal.requireSealed(body);
    return codec.decode(body);
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
      var problem = new UndecodableMessageException("malformed batch of entries");
      undecoded.add(new Undecoded(message, problem));
      return List.of();
    }
    return parts;
  }

  /**
   * Prevents the container from splitting messages: the listener would not know which entries share
   * a message and its acknowledgement, and a malformed message would end the consumer.
   */
  static BatchingStrategy leftWhole() {
    return new SimpleBatchingStrategy(1, 1, 0) {
      @Override
      public boolean canDebatch(MessageProperties properties) {
        return false;
      }
    };
  }

  /** A strategy without a time limit for a batch. */
  private static BatchingStrategy batching(int entries, int bytesMax) {
    return new SimpleBatchingStrategy(Math.max(1, entries), bytesMax, 0);
  }
}
