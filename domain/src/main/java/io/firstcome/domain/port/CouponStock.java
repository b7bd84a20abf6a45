package io.firstcome.domain.port;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.LedgerPage;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The stock of all coupons of one backend: the only allocator of their slots.
 *
 * <p>Every call carries the epoch that the caller knows. It fails with {@link StockFencedException}
 * if the partition is not open in that epoch or the coupon has no stock. A backend whose stock is
 * the rows has no epochs and no log: it ignores the epoch, and its claims are {@link
 * ClaimOutcome.Issued} at once. Any other failure of the server is a {@link
 * StockUnavailableException} that says whether the call may have had an effect.
 */
public interface CouponStock {

  /**
   * How many claim calls of one coupon may be in flight at a time and still take effect in order.
   */
  int maxCallsInFlight();

  /** The most claims that one call may carry. */
  int maxClaimsPerCall();

  /**
   * Allocates slots of one coupon to users, in the order of the list. One call is atomic and, once
   * answered, durable; calls take effect in the order in which they are made. The same user twice
   * in one call gets one slot.
   *
   * <p>The order for each user: the mark in the ledger of the user, or of the pseudonym if users
   * were erased, regardless of window and stock; then status and window by the backend's clock;
   * then whether a slot is left; then the limit of the campaign; then the lowest returned slot,
   * else the next one up to the total. If the hand-off log is full and a slot is free, every new
   * user of the call gets {@link ClaimOutcome.Busy}, so that no user gets "sold out" while a slot
   * is free. If users of the coupon were erased and a claim has no pseudonym, every claim of the
   * call gets {@link ClaimOutcome.Repeat}.
   *
   * @param campaign to which the coupon belongs, or null. The user's coupons are counted by the
   *     marks in the ledgers of its other coupons, in the same atomic step
   * @param claims in order of arrival; at least one, at most {@link #maxClaimsPerCall()}; all with
   *     pseudonyms, or none
   * @param within the call takes effect within this time, or never; also never if the backend's
   *     clock jumps between the call and its effect
   * @return an outcome for each claim, in the same order; or completed exceptionally with a {@link
   *     StockUnavailableException}. It may never complete: the caller needs a timeout
   */
  CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, @Nullable Campaign campaign, List<Claim> claims, Duration within);

  /**
   * Creates the stock of a coupon without claims. Idempotent.
   *
   * @param campaign to which the coupon belongs, or null. If claims of another coupon of it are
   *     compared with pseudonyms, those of this one are too, from the beginning
   * @throws StockFencedException also if the stock was removed in this epoch: a delayed creation
   *     does not restore it
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms);

  /**
   * Applies newer terms to the stock of a coupon, which has this revision or a later one
   * afterwards. Terms that are not newer than its own have no effect. A lower total removes the
   * returned slots above it from the stock.
   *
   * @return the terms that the stock has now; the caller's terms are in force only if these are
   *     equal to them
   * @throws StockFencedException also if there is no stock: this never creates one
   * @throws StockUnavailableException if the server did not confirm the call
   */
  StockTerms apply(StockAddress coupon, StockTerms terms);

  /**
   * Stops the allocation of slots, if no user has a mark in the ledger, until newer terms are
   * applied or a recovery makes the coupon ready again. So its definition can be edited before its
   * first claim: no claim is accepted between the check and the change. Idempotent.
   *
   * @param revision of the terms that the caller knows
   * @param within the call takes effect within this time, or never
   * @throws StockUnavailableException if the server did not confirm the call
   */
  FreezeOutcome freeze(StockAddress coupon, int revision, Duration within);

  /**
   * The terms that the stock has.
   *
   * @throws StockUnavailableException if the stock is not reachable
   */
  StockTerms terms(StockAddress coupon);

  /**
   * Removes the stock of an archived coupon. Its entries in the hand-off log stay. Idempotent.
   *
   * @throws StockFencedException also while the partition recovers: the recovery may not have
   *     reached this coupon yet
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void remove(StockAddress coupon);

  /**
   * The ledger's marks of the users; a user without a mark is not in the result.
   *
   * @throws StockUnavailableException if the ledger could not be read
   */
  Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users);

  /** The ledger's mark of the user. */
  default Optional<LedgerMark> find(StockAddress coupon, UserId user) {
    return Optional.ofNullable(find(coupon, List.of(user)).get(user));
  }

  /**
   * One page of the ledger in no particular order; a user may occur more than once. Unlike the
   * other calls it also works during recovery, once the partition is in the address's epoch.
   *
   * @param cursor null for the first page, then {@link LedgerPage#next} of the previous one
   * @throws StockUnavailableException if the ledger could not be read
   */
  LedgerPage ledger(StockAddress coupon, @Nullable String cursor);

  /**
   * The number of free slots.
   *
   * @throws StockUnavailableException if the stock is not reachable
   */
  StockLevel level(StockAddress coupon);

  /**
   * Slots below the next one that can be claimed again, lowest first.
   *
   * @param after the last slot of the previous page, or null
   * @throws StockUnavailableException if the stock is not reachable
   */
  List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max);

  /**
   * Allocates slots to late claims, regardless of window, status and depth of the log, and without
   * a log entry. A user who holds a slot keeps it. Another one gets the promised slot if it is
   * free, else the lowest free one; without a free slot the claim is rejected, and the ledger marks
   * it so. The limit of a campaign does not apply, as these claims were accepted.
   *
   * @param claims of this coupon; at most {@link #maxClaimsPerCall()}
   * @return an outcome for each claim, in the same order
   * @throws StockUnavailableException if the server did not confirm the call
   */
  List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> claims);

  /**
   * Replaces the user in the ledger by a pseudonym. From then on claims of this user are answered
   * {@link ClaimOutcome.Returned}, or {@link ClaimOutcome.Rejected} if the mark was that of a
   * rejected claim, and the mark still counts for the limit of a campaign. Idempotent.
   *
   * <p>For a coupon of a campaign, {@link #expectPseudonyms} comes first for all others of it.
   *
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void erase(StockAddress coupon, UserId user, UserId pseudonym);

  /**
   * From then on claims of the coupon are compared with pseudonyms, as if one of its users were
   * erased. Idempotent.
   *
   * @throws StockUnavailableException if the server did not confirm the call
   */
  void expectPseudonyms(StockAddress coupon);

  /**
   * Frees a slot for other users, if the user holds it and the generation is newer than the last
   * one freed of that slot. So a retry has no effect, even if another user holds the slot by then.
   * A slot above the total is taken from its owner and cannot be claimed again. The outcome is
   * {@link ReleaseOutcome.Withheld} as long as the slot is free and a lease on "sold out" may be in
   * use.
   *
   * @param generation counts the holders of the slot, from 1
   * @throws StockUnavailableException if the server did not confirm the call
   */
  ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation);
}
