package io.firstcome.domain.waitingroom;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The secret from which the order of a {@link Draw} follows, until it is published after the draw.
 *
 * @param value {@value #BYTES} bytes in lower-case hexadecimal
 */
public record DrawSeed(String value) {

  /** The length of a seed, in bytes. */
  public static final int BYTES = 32;

  private static final HexFormat HEX = HexFormat.of();

  public DrawSeed {
    if (!value.matches("[0-9a-f]{" + 2 * BYTES + "}")) {
      // Without the value, which may be secret.
      throw new IllegalArgumentException("seed must be " + BYTES + " bytes in hexadecimal");
    }
  }

  /**
   * The seed of the coupon, which follows from its code key: nothing is stored, and another coupon
   * has another one. Whoever has the key knows it before it is published.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  public static DrawSeed of(Coupon coupon, CodeKeys keys) {
    var id = coupon.id().value().getBytes(StandardCharsets.US_ASCII);
    return ofBytes(keys.authenticationCode(coupon.codeKeyVersion(), CodeKeys.Purpose.DRAW, id));
  }

  /** The seed of these {@value #BYTES} bytes. */
  static DrawSeed ofBytes(byte[] bytes) {
    return new DrawSeed(HEX.formatHex(bytes));
  }

  byte[] bytes() {
    return HEX.parseHex(value);
  }

  /**
   * What is published before the opening, so that the seed cannot be changed afterwards: SHA-256 of
   * its bytes, in hexadecimal.
   */
  public String commitment() {
    return HEX.formatHex(sha256().digest(bytes()));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Without the value, which may be secret. */
  @Override
  public String toString() {
    return "DrawSeed[" + commitment() + "]";
  }
}
