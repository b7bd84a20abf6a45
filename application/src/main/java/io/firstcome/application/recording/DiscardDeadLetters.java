package io.firstcome.application.recording;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.ClaimMessageReader.Reading;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/**
 * Deletes dead letters that no replay can record, at the request of operators: messages that are
 * forged or cannot be read, and claims of coupons that do not exist. Claims of a coupon that exists
 * may have been answered with success, so their letter stays until they are recorded.
 */
public final class DiscardDeadLetters {

  private final DeadLetters letters;
  private final ClaimMessageReader reader;
  private final CouponRepository coupons;
  private final AuditTrail audit;
  private final InstantSource clock;

  public DiscardDeadLetters(
      DeadLetters letters,
      ClaimMessageReader reader,
      CouponRepository coupons,
      AuditTrail audit,
      InstantSource clock) {
    this.letters = letters;
    this.reader = reader;
    this.coupons = coupons;
    this.audit = audit;
    this.clock = clock;
  }

  /** The result of a request. */
  public enum Result {
    /** The letter is deleted. */
    DISCARDED,
    /** It has claims of a coupon that exists; it stays. */
    HAS_CLAIMS,
    /** There is no such letter, or not any more. */
    UNKNOWN_LETTER
  }

  /**
   * Discards one letter.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable;
   *     a retry is safe
   */
  public Result discard(DeadLetterId id, Actor actor) {
    var letter = letters.find(id).orElse(null);
    if (letter == null) {
      return Result.UNKNOWN_LETTER;
    }
    if (entry(letter).flatMap(entry -> coupons.find(entry.couponId())).isPresent()) {
      return Result.HAS_CLAIMS;
    }
    audit.add(AuditEntry.ofDiscard(letter, actor, clock.instant()));
    letters.remove(id);
    return Result.DISCARDED;
  }

  /** Its claims; a message that could not be read may be readable now, with a key added since. */
  private Optional<HandoffEntry> entry(DeadLetter letter) {
    return switch (letter.content()) {
      case Content.Claims(HandoffEntry entry) -> Optional.of(entry);
      case Content.Unreadable(String base64) ->
          switch (reader.read(Base64.getDecoder().decode(base64))) {
            case Reading.Decoded(HandoffEntry entry) -> Optional.of(entry);
            case Reading.Unreadable _ -> Optional.empty();
          };
    };
  }
}
