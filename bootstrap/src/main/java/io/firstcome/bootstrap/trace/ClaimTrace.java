package io.firstcome.bootstrap.trace;

import io.firstcome.domain.usercoupon.UserCouponId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The ids of the trace of one claim, which all instances derive from the id of its user coupon: the
 * first 16 bytes of SHA-256 over {@code "firstcome trace" 0x00 userCouponId}, and the next 8. That
 * id contains a part of an HMAC, so that neither reveals the user.
 *
 * @param traceId in hexadecimal, as W3C Trace Context has it
 * @param spanId of the request whose claim was accepted
 */
record ClaimTrace(String traceId, String spanId) {

  private static final String LABEL = "firstcome trace\0";
  private static final int TRACE_BYTES = 16;
  private static final int SPAN_BYTES = 8;

  static ClaimTrace of(UserCouponId id) {
    var hash = sha256().digest((LABEL + id).getBytes(StandardCharsets.US_ASCII));
    var hex = HexFormat.of();
    return new ClaimTrace(
        hex.formatHex(hash, 0, TRACE_BYTES),
        hex.formatHex(hash, TRACE_BYTES, TRACE_BYTES + SPAN_BYTES));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
