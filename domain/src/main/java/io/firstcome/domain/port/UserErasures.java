package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The erasures of users, and the rows that name them. A request names its user until it has ended.
 * Failures are {@link DatabaseUnavailableException}s.
 */
public interface UserErasures {

  /**
   * Stores a request with its audit entry, unless one of the user is stored that has not ended.
   *
   * @return the stored one
   */
  Erasure request(UserId user, Actor operator, Instant at);

  Optional<Erasure> find(ErasureId id);

  /**
   * Requests that have not ended, oldest first.
   *
   * @param after the last one of the previous page, or null
   */
  List<Erasure> pending(@Nullable ErasureId after, int max);

  /** Notes why the erasure waits. */
  void noteObstacle(ErasureId id, Obstacle obstacle);

  /**
   * Whether the user has a late claim, or a dead letter names the user: it has a claim of the user,
   * or a message that could not be read has the user id as a JSON string.
   */
  Optional<Obstacle> unrecorded(UserId user);

  /**
   * Coupons of which the user has a user coupon or a rejected claim, ordered by id.
   *
   * @param after the last one of the previous page, or null
   */
  List<CouponId> coupons(UserId user, @Nullable CouponId after, int max);

  /**
   * Replaces the user by a pseudonym in the user coupon or rejected claim of a coupon, and in its
   * audit trail, in one transaction; so the revision of the user coupon is increased. Notes that
   * claims of the coupon, and of all coupons of its campaign, must be compared with pseudonyms.
   *
   * @param eventsArePublished whether to wait until the events of the user coupon are published;
   *     otherwise they are never published, and the user is replaced in them too
   * @param inStock erases the user in the stock; runs in the transaction, while no other one can
   *     change the user coupon, and may run again if the transaction is repeated
   * @return why it is not possible yet, and nothing was changed; empty if it was done, or there is
   *     nothing of the user
   */
  Optional<Obstacle> erase(
      ErasureId id,
      CouponId couponId,
      UserId pseudonym,
      boolean eventsArePublished,
      Runnable inStock);

  /**
   * Ends the erasure, with its audit entry, if nothing names the user any more.
   *
   * @return false, without effect, if a user coupon, a claim or a dead letter names the user
   */
  boolean end(ErasureId id, Instant at);
}
