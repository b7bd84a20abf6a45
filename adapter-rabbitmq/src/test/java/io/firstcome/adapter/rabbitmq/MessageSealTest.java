package io.firstcome.adapter.rabbitmq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.usercoupon.CodeKeys;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageSealTest {

  private static final byte[] KEY = "a key of thirty-two bytes or more".getBytes(US_ASCII);
  private static final byte[] OTHER_KEY = "another key of thirty-two bytes!!".getBytes(US_ASCII);
  private static final byte[] OBJECT = "{\"userId\":\"ann\"}".getBytes(UTF_8);

  private final MessageSeal seal = new MessageSeal(new CodeKeys(Map.of(1, KEY), 1));
  private final byte[] sealed = seal.seal(OBJECT);

  private static void assertNotSealed(MessageSeal seal, byte[] message, String reason) {
    assertThatExceptionOfType(UndecodableMessageException.class)
        .isThrownBy(() -> seal.requireSealed(message))
        .withMessage(reason);
  }

  @Test
  void the_code_is_the_last_member_and_covers_all_bytes_before_it() throws Exception {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    var code = mac.doFinal("firstcome claim message\0{\"userId\":\"ann\"".getBytes(UTF_8));

    assertThat(new String(sealed, UTF_8))
        .isEqualTo(
            "{\"userId\":\"ann\",\"mac\":{\"1\":\"%s\"}}"
                .formatted(Base64.getUrlEncoder().withoutPadding().encodeToString(code)));
    assertThatCode(() -> seal.requireSealed(sealed)).doesNotThrowAnyException();
  }

  @Test
  void a_change_of_any_bit_is_found() {
    IntStream.range(0, sealed.length * Byte.SIZE)
        .forEach(bit -> {
          byte[] altered = sealed.clone();
          altered[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);

          assertThatExceptionOfType(UndecodableMessageException.class)
              .as("bit %d", bit)
              .isThrownBy(() -> seal.requireSealed(altered));
        });
  }

  @Test
  void a_shorter_or_longer_message_is_found() {
    IntStream.range(0, sealed.length)
        .forEach(length ->
            assertThatExceptionOfType(UndecodableMessageException.class)
                .isThrownBy(() -> seal.requireSealed(Arrays.copyOf(sealed, length))));
    assertNotSealed(seal, (new String(sealed, UTF_8) + " ").getBytes(UTF_8), "not authenticated");
    assertNotSealed(seal, ("{" + new String(sealed, UTF_8)).getBytes(UTF_8), "forged or altered");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"mac\":{}}", "{\"a\":1,\"mac\":\"\"}", "{\"a\":1}}"})
  void a_message_without_a_code_is_not_authenticated(String message) {
    assertNotSealed(seal, message.getBytes(UTF_8), "not authenticated");
  }

  @Test
  void a_message_with_codes_of_unknown_keys_only_is_not_read() {
    var code = "A".repeat(43);
    for (var version : List.of("0", "2", "99999999999")) {
      assertNotSealed(
          seal,
          "{\"a\":1,\"mac\":{\"%s\":\"%s\"}}".formatted(version, code).getBytes(UTF_8),
          "authenticated with no key that is installed");
    }
  }

  @Test
  void any_number_of_keys_can_be_installed() {
    var many =
        IntStream.rangeClosed(1, 30)
            .boxed()
            .collect(Collectors.toMap(Function.identity(), _ -> OTHER_KEY));
    var all = new MessageSeal(new CodeKeys(many, 30));

    assertThatCode(() -> all.requireSealed(all.seal(OBJECT))).doesNotThrowAnyException();
  }

  @Test
  @Timeout(10)
  void a_long_message_with_many_codes_is_checked_once() {
    var code = "\"1\":\"%s\",".formatted("A".repeat(43)).repeat(20_000);
    var forged = "{\"a\":\"%s\",\"mac\":{%s}}".formatted("x".repeat(1_000_000), code);

    assertNotSealed(seal, forged.getBytes(UTF_8), "forged or altered");
  }

  @Test
  void another_deployment_cannot_authenticate_a_message() {
    var other = new MessageSeal(new CodeKeys(Map.of(1, OTHER_KEY), 1));

    assertNotSealed(seal, other.seal(OBJECT), "forged or altered");
  }

  @Test
  void instances_read_each_other_while_a_key_is_installed_and_while_one_is_removed() {
    var both = new MessageSeal(new CodeKeys(Map.of(1, KEY, 2, OTHER_KEY), 2));
    var second = new MessageSeal(new CodeKeys(Map.of(2, OTHER_KEY), 2));

    assertThatCode(
            () -> {
              both.requireSealed(sealed);
              seal.requireSealed(both.seal(OBJECT));
              second.requireSealed(both.seal(OBJECT));
              both.requireSealed(second.seal(OBJECT));
            })
        .doesNotThrowAnyException();
    assertNotSealed(second, sealed, "authenticated with no key that is installed");
  }
}
