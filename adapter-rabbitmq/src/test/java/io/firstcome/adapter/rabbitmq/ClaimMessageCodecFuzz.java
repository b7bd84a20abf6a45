package io.firstcome.adapter.rabbitmq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.rabbitmq.ClaimMessages.Content;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.util.List;
import java.util.Map;

/**
 * The content of authenticated messages: an entry that can be written and is read again as the
 * same, or undecodable.
 */
public final class ClaimMessageCodecFuzz {

  private static final ClaimMessageCodec CODEC = new ClaimMessageCodec();
  private static final ClaimMessages MESSAGES =
      new ClaimMessages(
          new CodeKeys(Map.of(1, "a key of thirty-two bytes or more".getBytes(US_ASCII)), 1));

  private ClaimMessageCodecFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws UndecodableMessageException {
    HandoffEntry entry;
    try {
      entry = CODEC.decode(input);
    } catch (UndecodableMessageException e) {
      assertThat(e).hasNoCause();
      assertThat(e.reason()).isNotBlank();
      return;
    }
    assertThat(CODEC.decode(CODEC.encode(entry))).isEqualTo(entry);
    var shared = MESSAGES.write(List.of(entry, entry), Integer.MAX_VALUE);
    assertThat(shared).hasSize(1);
    assertThat(MESSAGES.read(shared.getFirst()))
        .isEqualTo(new Content(List.of(entry, entry), List.of()));
  }
}
