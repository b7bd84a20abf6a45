package io.firstcome.domain.usercoupon;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Pseudonyms;
import io.firstcome.domain.issuance.UserId;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret keys of a deployment. They derive the code of a user coupon, and from it its id, from
 * coupon and user, so that a retry, a recovery or another slot never changes them and nothing has
 * to be stored; and they authenticate what instances send each other.
 *
 * <p>The code is the first 80 bits of HMAC-SHA256 (RFC 2104) over {@code "firstcome user coupon"
 * 0x00 couponId 0x00 userId}. Neither id can contain a zero byte, so no two pairs form the same
 * message.
 */
public final class CodeKeys {

  /** The shortest accepted key, in bytes: the length of the hash, as RFC 2104 recommends. */
  public static final int MIN_KEY_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] LABEL = "firstcome user coupon\0".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PSEUDONYM_LABEL =
      "firstcome pseudonym\0".getBytes(StandardCharsets.US_ASCII);
  private static final int PSEUDONYM_BYTES = 16;

  /** What a code is for. No code of one purpose is valid for another. */
  public enum Purpose {
    CLAIM_MESSAGE("firstcome claim message"),
    TICKET("firstcome waiting room ticket"),
    ADMISSION("firstcome waiting room admission"),
    CHALLENGE("firstcome waiting room challenge"),
    /** The seed of a draw, which is published in the end: nobody can compute it before. */
    DRAW("firstcome waiting room draw");

    private final String label;

    Purpose(String label) {
      this.label = label + "\0";
    }
  }

  private final TreeMap<Integer, Mac> macByVersion = new TreeMap<>();
  private final int activeVersion;

  /**
   * @param keyByVersion the installed keys: secrets of at least {@value #MIN_KEY_BYTES} bytes by
   *     version, from 1
   * @param activeVersion the version for new coupons; one of those installed
   */
  public CodeKeys(Map<Integer, byte[]> keyByVersion, int activeVersion) {
    keyByVersion.forEach((version, key) -> macByVersion.put(version, mac(version, key)));
    if (!isInstalled(activeVersion)) {
      throw new IllegalArgumentException(
          "the active code key must be one of the installed versions %s: %d"
              .formatted(macByVersion.keySet(), activeVersion));
    }
    this.activeVersion = activeVersion;
  }

  /**
   * The version for new coupons. Installing a key does not make it active, so that every instance
   * can have it before the first coupon needs it.
   */
  public int activeVersion() {
    return activeVersion;
  }

  /** The installed versions. */
  public Set<Integer> versions() {
    return Collections.unmodifiableSet(macByVersion.keySet());
  }

  /** Whether identities of coupons with that key version can be derived by this instance. */
  public boolean isInstalled(int version) {
    return macByVersion.containsKey(version);
  }

  /**
   * The identity of the user coupon of that coupon and user.
   *
   * @throws MissingCodeKeyException if no key of that version is installed
   */
  public UserCouponIdentity identityOf(int keyVersion, CouponId couponId, UserId userId) {
    var mac = mac(keyVersion);
    mac.update(LABEL);
    mac.update(couponId.value().getBytes(StandardCharsets.US_ASCII));
    mac.update((byte) 0);
    mac.update(userId.value().getBytes(StandardCharsets.US_ASCII));
    return UserCouponIdentity.of(couponId, CouponCode.ofBytes(mac.doFinal()));
  }

  /**
   * The pseudonyms of users in coupons with that key version: the first 128 bits of HMAC-SHA256
   * over {@code "firstcome pseudonym" 0x00 userId}, in hexadecimal.
   *
   * @throws MissingCodeKeyException (when a pseudonym is derived) if no key of that version is
   *     installed
   */
  public Pseudonyms pseudonyms(int keyVersion) {
    return user -> {
      var mac = mac(keyVersion);
      mac.update(PSEUDONYM_LABEL);
      var hash = mac.doFinal(user.value().getBytes(StandardCharsets.US_ASCII));
      return UserId.pseudonym(HexFormat.of().formatHex(hash, 0, PSEUDONYM_BYTES));
    };
  }

  /**
   * The code that authenticates a content: HMAC-SHA256 over a label of the purpose, {@code 0x00}
   * and the content.
   *
   * @return 32 bytes
   * @throws MissingCodeKeyException if no key of that version is installed
   */
  public byte[] authenticationCode(int keyVersion, Purpose purpose, byte[] content) {
    var mac = mac(keyVersion);
    mac.update(purpose.label.getBytes(StandardCharsets.US_ASCII));
    return mac.doFinal(content);
  }

  /** A Mac is not thread-safe, and a keyed clone costs far less than a new instance. */
  private Mac mac(int keyVersion) {
    var prototype = macByVersion.get(keyVersion);
    if (prototype == null) {
      throw new MissingCodeKeyException(keyVersion);
    }
    try {
      return (Mac) prototype.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(ALGORITHM + " cannot be cloned", e);
    }
  }

  private static Mac mac(int version, byte[] key) {
    if (version < 1) {
      throw new IllegalArgumentException("code key version must be positive: " + version);
    }
    if (key.length < MIN_KEY_BYTES) {
      throw new IllegalArgumentException(
          "code key " + version + " must have at least " + MIN_KEY_BYTES + " bytes: " + key.length);
    }
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException(ALGORITHM + " cannot be initialized", e);
    }
  }
}
