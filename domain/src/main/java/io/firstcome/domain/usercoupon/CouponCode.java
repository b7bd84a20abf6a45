package io.firstcome.domain.usercoupon;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The unguessable text of one user coupon, which a shop enters at a till: 80 bits in 16 characters
 * of Crockford's base 32.
 */
public record CouponCode(String value) {

  private static final String ALGORITHM = "SHA-256";
  private static final byte[] LABEL =
      "firstcome user coupon id\0".getBytes(StandardCharsets.US_ASCII);
  private static final MessageDigest LABELLED = labelled();

  public CouponCode {
    CrockfordBase32.requireText("code", value);
  }

  /**
   * Parses a typed code. Lower case and separators are accepted; O is read as 0, I and L as 1.
   *
   * @throws IllegalArgumentException if it is not a code
   * @see <a href="https://www.crockford.com/base32.html">Douglas Crockford, Base 32</a>
   */
  public static CouponCode parse(String typed) {
    return new CouponCode(CrockfordBase32.normalized(typed));
  }

  /** The code of these {@value CrockfordBase32#BYTES} bytes. */
  public static CouponCode ofBytes(byte[] bytes) {
    return new CouponCode(CrockfordBase32.encode(bytes));
  }

  /** The {@value CrockfordBase32#BYTES} bytes of the code. */
  public byte[] bytes() {
    return CrockfordBase32.decode(value);
  }

  /**
   * The tag in the id of the user coupon: the first 80 bits of SHA-256 over {@code "firstcome user
   * coupon id" 0x00} and the bytes of the code. It does not reveal the code, and needs no key: a
   * database finds the row of a code by the tag.
   */
  public String tag() {
    return CrockfordBase32.encode(tagBytes());
  }

  /** The {@value CrockfordBase32#BYTES} bytes of the tag. */
  public byte[] tagBytes() {
    try {
      var digest = (MessageDigest) LABELLED.clone();
      return Arrays.copyOf(digest.digest(bytes()), CrockfordBase32.BYTES);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(ALGORITHM + " cannot be cloned", e);
    }
  }

  /** A clone costs less than a new instance, which is looked up by name. */
  private static MessageDigest labelled() {
    try {
      var digest = MessageDigest.getInstance(ALGORITHM);
      digest.update(LABEL);
      return digest;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Hidden, so that no log line contains a code. Use {@link #value()} to show it. */
  @Override
  public String toString() {
    return "CouponCode[…]";
  }
}
