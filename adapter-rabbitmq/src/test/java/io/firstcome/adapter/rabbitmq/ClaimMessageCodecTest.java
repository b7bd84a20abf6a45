package io.firstcome.adapter.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The format of claim messages. */
final class ClaimMessageCodecTest {

  private static final String VALID =
      """
      {"version":1,"partition":7,"entryId":"5-0","epoch":3,"couponId":"WELCOME",\
      "acceptedAt":"2026-05-01T09:00:00.123Z","claims":[{"userId":"u-1","slot":1}]}\
      """;

  private final ClaimMessageCodec codec = new ClaimMessageCodec();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void decoding_an_encoded_entry_returns_an_equal_entry(long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 200; i++) {
      HandoffEntry entry = anEntry(random);

      assertThat(codec.decode(codec.encode(entry))).isEqualTo(entry);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void a_damaged_message_is_decoded_or_undecodable_and_causes_no_other_exception(long seed) {
    var random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] body = codec.encode(anEntry(random));
      int length = random.nextInt(body.length) + 1;
      byte[] damaged = Arrays.copyOf(body, random.nextBoolean() ? body.length : length);
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);

      assertThatCode(() -> decodeIfPossible(damaged)).doesNotThrowAnyException();
    }
  }

  @Test
  void the_format_of_version_1_does_not_change() throws Exception {
    HandoffEntry entry = codec.decode(VALID.getBytes(StandardCharsets.UTF_8));

    assertThat(new String(codec.encode(entry), StandardCharsets.UTF_8)).isEqualTo(VALID);
  }

  @Test
  void unknown_members_within_the_version_are_ignored() throws Exception {
    String extended =
        VALID.replace("\"slot\":1", "\"slot\":1,\"new\":{}").replace("{\"v", "{\"new\":[1],\"v");

    assertThat(codec.decode(extended.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(codec.decode(VALID.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version",
        "partition",
        "entryId",
        "epoch",
        "couponId",
        "acceptedAt",
        "claims",
        "userId",
        "slot"
      })
  void a_missing_member_is_undecodable(String member) {
    assertUndecodable(VALID.replace("\"" + member + "\"", "\"other\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\":1            | \"version\":2",
        "\"version\":1            | \"version\":\"1\"",
        "\"version\":1            | \"version\":1.0",
        "\"version\":1            | \"version\":1,\"version\":1",
        "\"partition\":7          | \"partition\":1024",
        "\"partition\":7          | \"partition\":4294967303",
        "\"partition\":7          | \"partition\":null",
        "\"entryId\":\"5-0\"      | \"entryId\":\"\"",
        "\"entryId\":\"5-0\"      | \"entryId\":5",
        "\"epoch\":3              | \"epoch\":-1",
        "\"epoch\":3              | \"epoch\":9223372036854775808",
        "\"WELCOME\"              | \"welcome\"",
        "2026-05-01T09:00:00.123Z | yesterday",
        "\"u-1\"                  | \"a b\"",
        "\"slot\":1               | \"slot\":0",
        "\"slot\":1               | \"slot\":2147483648",
        "[{\"userId\":\"u-1\",\"slot\":1}] | []",
        "[{\"userId\":\"u-1\",\"slot\":1}] | [1]",
        "[{\"userId\":\"u-1\",\"slot\":1}] | [null]",
        "[{\"userId\":\"u-1\",\"slot\":1}] | {}",
      })
  void an_invalid_member_is_undecodable(String valid, String invalid) {
    assertThat(VALID).contains(valid);
    assertUndecodable(VALID.replace(valid, invalid));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "null", "[]", "1", "{", "<xml/>"})
  void a_body_that_is_not_an_object_is_undecodable(String body) {
    assertUndecodable(body);
  }

  @Test
  void a_body_with_content_after_the_object_is_undecodable() {
    assertUndecodable(VALID + "{}");
  }

  @Test
  void the_exception_does_not_quote_a_user_id() {
    assertThatExceptionOfType(UndecodableMessageException.class)
        .isThrownBy(() -> decode(VALID.replace("u-1", "secret user")))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }

  @Test
  void the_exception_and_its_causes_do_not_quote_the_body() {
    for (var body : List.of("secret", VALID.replace("2026-05-01T09:00:00.123Z", "secret"))) {
      assertThatExceptionOfType(UndecodableMessageException.class)
          .isThrownBy(() -> decode(body))
          .withNoCause()
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }
  }

  private void assertUndecodable(String body) {
    assertThatExceptionOfType(UndecodableMessageException.class).isThrownBy(() -> decode(body));
  }

  private HandoffEntry decode(String body) throws UndecodableMessageException {
    return codec.decode(body.getBytes(StandardCharsets.UTF_8));
  }

  private void decodeIfPossible(byte[] body) {
    try {
      codec.decode(body);
    } catch (UndecodableMessageException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static HandoffEntry anEntry(RandomGenerator random) {
    return new HandoffEntry(
        new EntryReference(
            new Partition(random.nextInt(Partition.MAX_PARTITIONS)),
            random.nextLong(1L << 50) + "-" + random.nextInt(100),
            new Epoch(random.nextLong(Long.MAX_VALUE))),
        new CouponId("C" + text(random, "ABCXYZ0189-", 39)),
        Instant.ofEpochSecond(random.nextLong(1L << 33), random.nextInt(1_000_000_000)),
        Stream.generate(() -> aClaim(random)).limit(random.nextInt(1, 20)).toList());
  }

  private static SlotClaim aClaim(RandomGenerator random) {
    return new SlotClaim(
        new UserId(text(random, "abcXYZ019._@-|:,\"\\'{}[]<>/%~", 128)),
        new Slot(random.nextInt(1, Integer.MAX_VALUE)));
  }

  private static String text(RandomGenerator random, String of, int maxLength) {
    return random
        .ints(random.nextInt(1, maxLength + 1), 0, of.length())
        .mapToObj(i -> of.substring(i, i + 1))
        .collect(Collectors.joining());
  }
}
