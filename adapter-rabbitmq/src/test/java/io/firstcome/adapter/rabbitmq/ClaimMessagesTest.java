package io.firstcome.adapter.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.broker.BrokerFixtures;
import io.firstcome.domain.handoff.HandoffEntry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;

/** Which entries share a message, and how messages are decoded. */
final class ClaimMessagesTest {

  private static final int BYTES_MAX = 1_000;

  private final ClaimMessages messages = new ClaimMessages(RabbitRig.KEYS);
  private final List<HandoffEntry> entries = BrokerFixtures.entries(30);

  @Test
  void entries_share_messages_in_order_up_to_a_maximum_size() {
    List<Message> written = messages.write(entries, BYTES_MAX);

    assertThat(written).hasSizeBetween(2, entries.size() - 1);
    assertThat(written).allMatch(message -> message.getBody().length <= BYTES_MAX);
    assertThat(written.stream().flatMap(message -> read(message).entries().stream()))
        .containsExactlyElementsOf(entries);
  }

  @Test
  void an_entry_above_the_maximum_size_has_its_own_message() {
    assertThat(messages.write(entries, 1)).hasSameSizeAs(entries);
  }

  @Test
  void a_single_entry_is_the_whole_body() {
    HandoffEntry entry = entries.getFirst();

    assertThat(messages.write(List.of(entry), BYTES_MAX).getFirst().getBody())
        .isEqualTo(alone(entry).getBody());
  }

  @Test
  void no_entries_produce_no_messages() {
    assertThat(messages.write(List.of(), BYTES_MAX)).isEmpty();
  }

  @Test
  void a_shared_message_is_persistent_and_has_the_id_of_its_first_entry() {
    MessageProperties properties =
        messages.write(entries.subList(0, 2), BYTES_MAX).getFirst().getMessageProperties();

    assertThat(properties.getDeliveryMode()).isEqualTo(MessageDeliveryMode.PERSISTENT);
    assertThat(properties.getMessageId())
        .isEqualTo(alone(entries.getFirst()).getMessageProperties().getMessageId());
  }

  @Test
  void an_undecodable_part_is_returned_unchanged_with_the_decoded_entries() {
    byte[] good = alone(entries.getFirst()).getBody();
    byte[] later = new MessageSeal(RabbitRig.KEYS).seal("{\"version\": 2}".getBytes(UTF_8));

    ClaimMessages.Content content = read(shared(good, later, good));

    assertThat(content.entries()).containsExactly(entries.getFirst(), entries.getFirst());
    assertThat(content.undecoded())
        .singleElement()
        .satisfies(one -> assertThat(one.part().getBody()).isEqualTo(later))
        .satisfies(one -> assertThat(one.problem().reason()).isEqualTo("unknown version: 2"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 60})
  void an_incomplete_message_is_returned_unchanged_as_undecoded(int missing) {
    byte[] whole = messages.write(entries.subList(0, 3), BYTES_MAX * 10).getFirst().getBody();
    byte[] cut = Arrays.copyOf(whole, whole.length - missing);

    ClaimMessages.Content content = read(markedAsShared(cut));

    assertThat(content.entries()).isEmpty();
    assertThat(content.undecoded())
        .singleElement()
        .satisfies(one -> assertThat(one.part().getBody()).isEqualTo(cut));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void a_damaged_message_causes_no_exception(long seed) {
    var random = new SplittableRandom(seed);
    byte[] whole = messages.write(entries.subList(0, 5), BYTES_MAX * 10).getFirst().getBody();
    for (int i = 0; i < 2_000; i++) {
      byte[] damaged = Arrays.copyOf(whole, random.nextInt(whole.length) + 1);
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);

      ClaimMessages.Content content = read(markedAsShared(damaged));

      assertThat(content.entries().size() + content.undecoded().size()).isPositive();
    }
  }

  private Message alone(HandoffEntry entry) {
    return messages.write(List.of(entry), BYTES_MAX).getFirst();
  }

  private ClaimMessages.Content read(Message message) {
    return messages.read(message);
  }

  private static Message shared(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> Integer.BYTES + part.length).sum();
    ByteBuffer body = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      body.putInt(part.length).put(part);
    }
    return markedAsShared(body.array());
  }

  private static Message markedAsShared(byte[] body) {
    var properties = new MessageProperties();
    properties.setHeader(
        MessageProperties.SPRING_BATCH_FORMAT, MessageProperties.BATCH_FORMAT_LENGTH_HEADER4);
    return new Message(body, properties);
  }
}
