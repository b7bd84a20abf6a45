package io.firstcome.domain.waitingroom;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.CodeKeys.Purpose;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tickets and admissions as texts that a client keeps and presents: {@code
 * <number>.<epoch>.<signature>} and {@code <end>.<signature>}, where the end is in milliseconds of
 * {@link ServingNumber#counted}. The signature is the first 128 bits of HMAC-SHA256 over coupon,
 * user and the rest of the text, in base 64 for URLs. So a text is valid for one user and one
 * coupon, and neither the stock nor the database must be asked.
 */
public final class SignedTexts {

  private static final int SIGNATURE_BYTES = 16;
  private static final Pattern TICKET =
      Pattern.compile("([1-9][0-9]{0,8})\\.([0-9]{1,18})\\.([A-Za-z0-9_-]{22})");
  private static final Pattern ADMISSION =
      Pattern.compile("([1-9][0-9]{0,17})\\.([A-Za-z0-9_-]{22})");

  private final CodeKeys keys;

  public SignedTexts(CodeKeys keys) {
    this.keys = keys;
  }

  /**
   * The text of a ticket of that user.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  public String ofTicket(Coupon coupon, UserId user, Ticket ticket) {
    var content = ticket.number() + "." + ticket.epoch();
    return content + "." + signature(Purpose.TICKET, coupon, user, content);
  }

  /**
   * Reads the text of a ticket; empty if it is not one of this coupon and user.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  public Optional<Ticket> ticket(Coupon coupon, UserId user, String text) {
    var parts = TICKET.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    var number = parts.group(1);
    var epoch = parts.group(2);
    return isSigned(Purpose.TICKET, coupon, user, number + "." + epoch, parts.group(3))
        ? Optional.of(new Ticket(Integer.parseInt(number), new Epoch(Long.parseLong(epoch))))
        : Optional.empty();
  }

  /**
   * The text of an admission of that user.
   *
   * @param end when it ends, by the time that the room has counted
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  public String ofAdmission(Coupon coupon, UserId user, Duration end) {
    var content = Long.toString(end.toMillis());
    return content + "." + signature(Purpose.ADMISSION, coupon, user, content);
  }

  /**
   * Reads the end in the text of an admission; empty if it is not one of this coupon and user.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  public Optional<Duration> admission(Coupon coupon, UserId user, String text) {
    var parts = ADMISSION.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    var end = parts.group(1);
    return isSigned(Purpose.ADMISSION, coupon, user, end, parts.group(2))
        ? Optional.of(Duration.ofMillis(Long.parseLong(end)))
        : Optional.empty();
  }

  private boolean isSigned(
      Purpose purpose, Coupon coupon, UserId user, String content, String signature) {
    return MessageDigest.isEqual(
        signature(purpose, coupon, user, content).getBytes(StandardCharsets.US_ASCII),
        signature.getBytes(StandardCharsets.US_ASCII));
  }

  /** Neither id can contain a zero byte, so no two contents form the same message. */
  private String signature(Purpose purpose, Coupon coupon, UserId user, String content) {
    var message = coupon.id() + "\0" + user + "\0" + content;
    var code =
        keys.authenticationCode(
            coupon.codeKeyVersion(), purpose, message.getBytes(StandardCharsets.US_ASCII));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Arrays.copyOf(code, SIGNATURE_BYTES));
  }
}
