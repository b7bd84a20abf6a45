package io.firstcome.domain.usercoupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class CodeKeysTest {

  private static final byte[] KEY =
      "a key of thirty-two bytes or more".getBytes(StandardCharsets.US_ASCII);
  private static final CouponId COUPON = new CouponId("WELCOME");
  private static final UserId ANN = new UserId("ann");

  private final CodeKeys keys = new CodeKeys(Map.of(1, KEY), 1);

  @Test
  void the_code_is_the_first_80_bits_of_the_mac() throws Exception {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    var digest =
        mac.doFinal("firstcome user coupon\0WELCOME\0ann".getBytes(StandardCharsets.US_ASCII));

    assertThat(keys.identityOf(1, COUPON, ANN).code().value()).isEqualTo(base32(digest));
  }

  @Test
  void the_tag_is_the_first_80_bits_of_a_hash_of_the_code() throws Exception {
    var sha256 = MessageDigest.getInstance("SHA-256");
    var code = keys.identityOf(1, COUPON, ANN).code();
    sha256.update("firstcome user coupon id\0".getBytes(StandardCharsets.US_ASCII));
    var digest = sha256.digest(code.bytes());

    assertThat(keys.identityOf(1, COUPON, ANN).id())
        .isEqualTo(new UserCouponId(COUPON, base32(digest)));
  }

  @Test
  void tag_and_code_have_ten_bytes_each() {
    var identity = keys.identityOf(1, COUPON, ANN);

    assertThat(CouponCode.ofBytes(identity.code().bytes())).isEqualTo(identity.code());
    assertThat(UserCouponId.ofTag(COUPON, identity.id().tagBytes())).isEqualTo(identity.id());
    assertThat(identity.code().bytes()).hasSize(10);
    assertThat(identity.id().tagBytes()).hasSize(10).isNotEqualTo(identity.code().bytes());
  }

  /** Five bits at a time, by the definition. */
  private static String base32(byte[] digest) {
    var all = new BigInteger(1, digest).toString(2);
    var bits = ("0".repeat(256 - all.length()) + all).substring(0, 80);
    return IntStream.range(0, bits.length() / 5)
        .map(i -> Integer.parseInt(bits.substring(5 * i, 5 * i + 5), 2))
        .mapToObj(i -> "0123456789ABCDEFGHJKMNPQRSTVWXYZ".substring(i, i + 1))
        .reduce("", String::concat);
  }

  @Test
  void the_pseudonym_is_the_first_128_bits_of_the_mac_of_the_user() throws Exception {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
    var digest = mac.doFinal("firstcome pseudonym\0ann".getBytes(StandardCharsets.US_ASCII));

    var pseudonym = keys.pseudonyms(1).of(ANN);

    assertThat(pseudonym.value()).isEqualTo("erased:" + HexFormat.of().formatHex(digest, 0, 16));
    assertThat(pseudonym.isPseudonym()).isTrue();
    assertThatExceptionOfType(MissingCodeKeyException.class)
        .isThrownBy(() -> keys.pseudonyms(2).of(ANN));
  }

  @Test
  void the_same_coupon_and_user_always_have_the_same_identity() {
    assertThat(keys.identityOf(1, COUPON, ANN))
        .isEqualTo(new CodeKeys(Map.of(1, KEY), 1).identityOf(1, COUPON, ANN));
  }

  @Test
  void other_coupons_users_and_keys_have_other_identities() {
    var otherKey = "another key of thirty-two bytes!!".getBytes(StandardCharsets.US_ASCII);
    var both = new CodeKeys(Map.of(1, KEY, 2, otherKey), 1);

    assertThat(
            IntStream.range(0, 2_000)
                .mapToObj(i -> both.identityOf(1, COUPON, new UserId("user-" + i)).code())
                .distinct())
        .hasSize(2_000);
    assertThat(both.identityOf(1, new CouponId("WELCOME2"), ANN).code())
        .isNotEqualTo(both.identityOf(1, COUPON, ANN).code());
    assertThat(both.identityOf(2, COUPON, ANN).code())
        .isNotEqualTo(both.identityOf(1, COUPON, ANN).code());
  }

  @Test
  void an_installed_key_is_active_only_if_configured() {
    var both = Map.of(1, KEY, 2, new byte[32]);

    assertThat(new CodeKeys(both, 1).activeVersion()).isEqualTo(1);
    assertThat(new CodeKeys(both, 2).activeVersion()).isEqualTo(2);
    assertThat(new CodeKeys(both, 1).isInstalled(2)).isTrue();
    assertThat(keys.isInstalled(2)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodeKeys(both, 3))
        .withMessageContaining("[1, 2]: 3");
  }

  @Test
  void a_user_coupon_id_is_parsed_from_its_own_text_and_from_nothing_else() {
    var id = keys.identityOf(1, COUPON, ANN).id();

    assertThat(UserCouponId.parse(id.toString())).isEqualTo(id);
    for (var wrong : new String[] {"", "WELCOME", "WELCOME.", id + "0", "welcome." + id.tag()}) {
      assertThatIllegalArgumentException().isThrownBy(() -> UserCouponId.parse(wrong));
    }
  }

  @Test
  void the_text_of_an_identity_does_not_contain_the_code() {
    var identity = keys.identityOf(1, COUPON, ANN);

    assertThat(identity.toString()).doesNotContain(identity.code().value());
  }

  @Test
  void short_keys_and_unknown_versions_are_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new CodeKeys(Map.of(), 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new CodeKeys(Map.of(0, KEY), 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CodeKeys(Map.of(1, new byte[31]), 1))
        .withMessageContaining("31");
    assertThatExceptionOfType(MissingCodeKeyException.class)
        .isThrownBy(() -> keys.identityOf(2, COUPON, ANN))
        .withMessageContaining("version 2");
  }
}
