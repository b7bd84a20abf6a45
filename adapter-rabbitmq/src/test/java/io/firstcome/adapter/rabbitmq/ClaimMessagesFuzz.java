package io.firstcome.adapter.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.usercoupon.CodeKeys;
import java.util.Map;
import java.util.SplittableRandom;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * Messages of a sender without a key: none is read, as a single entry or as a batch. And no byte of
 * an authenticated message can be changed.
 */
public final class ClaimMessagesFuzz {

  /** Makes a key for each input, so that the fuzzer cannot learn a right code by comparisons. */
  private static final SplittableRandom RANDOM = new SplittableRandom();

  private ClaimMessagesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws UndecodableMessageException {
    byte[] key = new byte[CodeKeys.MIN_KEY_BYTES];
    RANDOM.nextBytes(key);
    var keys = new CodeKeys(Map.of(1, key), 1);
    var messages = new ClaimMessages(keys);
    var single = messages.read(new Message(input, new MessageProperties()));
    assertThat(single.entries()).isEmpty();
    assertThat(single.undecoded()).hasSize(1);
    assertThat(messages.read(new Message(input, batch())).entries()).isEmpty();
    if (input.length > 0) {
      assertChangeIsFound(input, new MessageSeal(keys));
    }
  }

  private static MessageProperties batch() {
    var properties = new MessageProperties();
    properties.setHeader(
        MessageProperties.SPRING_BATCH_FORMAT, MessageProperties.BATCH_FORMAT_LENGTH_HEADER4);
    return properties;
  }

  /** The first and the last byte of the input decide what is changed. */
  private static void assertChangeIsFound(byte[] input, MessageSeal seal)
      throws UndecodableMessageException {
    byte[] message = seal.seal(input);
    seal.requireSealed(message);
    int position = (((input[0] & 0xff) << 4) | (input[input.length - 1] & 0xff)) % message.length;
    message[position] ^= (byte) (1 << (input[0] & 7));
    assertThatExceptionOfType(UndecodableMessageException.class)
        .isThrownBy(() -> seal.requireSealed(message));
  }
}
