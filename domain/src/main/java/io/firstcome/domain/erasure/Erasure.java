package io.firstcome.domain.erasure;

import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operator's request to erase a user.
 *
 * @param userId the user; null once all is erased
 * @param waitsFor why it has not ended yet, by the latest attempt; null if it has ended or was not
 *     tried yet
 * @param userCoupons of how many user coupons the user id was replaced so far
 * @param endedAt when all was erased; null before
 */
public record Erasure(
    ErasureId id,
    @Nullable UserId userId,
    Instant requestedAt,
    @Nullable Obstacle waitsFor,
    int userCoupons,
    @Nullable Instant endedAt) {

  /** What must happen before a user can be erased. */
  public enum Obstacle {
    /** Claims that were accepted before the request may have no row yet. */
    UNRECORDED_CLAIMS,
    /** A late claim of the user is not settled. */
    LATE_CLAIM,
    /** A dead letter names the user, until an operator has replayed or discarded it. */
    DEAD_LETTER,
    /** An event of a user coupon is not published. */
    EVENTS,
    /** A slot that the user returned is not released. */
    SLOT_RELEASE,
    /** The stock of a coupon was not reachable, or recovers. */
    STOCK,
    /** The instance that made the latest attempt does not have the code key of a coupon. */
    CODE_KEY
  }

  public boolean hasEnded() {
    return endedAt != null;
  }
}
