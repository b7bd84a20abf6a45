package io.firstcome.domain.port;

import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LateClaim;
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
 * The stock of all coupons of one backend: decides who gets which slot. It is the only allocator;
 * nothing else ever gives a slot.
 *
 * <p>Every call names the epoch the caller knows. A partition that is not open in that epoch, or a
 * coupon without stock, refuses with {@link StockFencedException}. A backend whose stock is the
 * rows has no epochs and no log: what it has given is {@link ClaimOutcome.Issued}, and it looks at
 * no epoch. Any other failure of the server is a {@link StockUnavailableException} that says
 * whether the call may have had an effect.
 */
public interface CouponStock {

  /**
   * How many claim calls of one coupon may be in flight at a time and still take effect in order.
   */
  int maxCallsInFlight();

  /** The most claims that one call may carry. */
  int maxClaimsPerCall();

  /**
   * Gives slots to the users of one coupon, in the order of the list. One call is atomic and, once
   * answered, durable; calls take effect in the order in which they are made. The same user twice
   * in one call gets one slot.
   *
   * <p>For each user: what the ledger knows comes first, whatever the window or the stock; then
   * status and window by the backend's clock; then returned slots, lowest first; then the next slot
   * up to the total. Where the hand-off log is full and a slot is free, every new user of the call
   * is {@link ClaimOutcome.Busy}, so that nobody hears "sold out" while a slot is free.
   *
   * @param claims in order of arrival; at least one, at most {@link #maxClaimsPerCall()}
   * @param within the call takes effect within this time, or never; never too where the backend's
   *     clock jumps between the call and its effect
   * @return an outcome for each claim, in the same order; or completed exceptionally with a {@link
   *     StockUnavailableException}. It may never complete: the caller bounds its wait
   */
  CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, List<Claim> claims, Duration within);

  /**
   * Creates the stock of a coupon that nobody has claimed yet. Done already: no effect.
   *
   * @throws StockFencedException where it was removed in this epoch as well: a creation that comes
   *     late brings nothing back
   * @throws StockUnavailableException if the server did not say that it is done
   */
  void create(StockAddress coupon, StockTerms terms);

  /**
   * Brings newer terms to the stock of a coupon, which has this revision or a later one afterwards.
   * Terms that are not newer than its own change nothing. A lower total takes the returned slots
   * above it out of the stock.
   *
   * @return the terms that the stock has now; the caller's terms are in force only if these are
   *     equal to them
   * @throws StockFencedException where there is no stock as well: this never creates any
   * @throws StockUnavailableException if the server did not say that it is done
   */
  StockTerms apply(StockAddress coupon, StockTerms terms);

  /**
   * The terms that the stock has.
   *
   * @throws StockUnavailableException if the stock could not be asked
   */
  StockTerms terms(StockAddress coupon);

  /**
   * Leaves nothing of a coupon that is archived, which has no stock from then on. Its log entries
   * are not its stock and stay. Done already: no effect.
   *
   * @throws StockFencedException while the partition recovers as well: the recovery may have this
   *     coupon still before it
   * @throws StockUnavailableException if the server did not say that it is done
   */
  void remove(StockAddress coupon);

  /**
   * What the ledger says of the users; a user without a mark is not in the result.
   *
   * @throws StockUnavailableException if the ledger could not be asked
   */
  Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users);

  /** What the ledger says of the user. */
  default Optional<LedgerMark> find(StockAddress coupon, UserId user) {
    return Optional.ofNullable(find(coupon, List.of(user)).get(user));
  }

  /**
   * One page of the ledger in no particular order; a user may come more than once. Unlike the other
   * calls it is answered during recovery too, once the partition is in the address's epoch.
   *
   * @param cursor null for the first page, then what the page before said
   * @throws StockUnavailableException if the ledger could not be asked
   */
  LedgerPage ledger(StockAddress coupon, @Nullable String cursor);

  /**
   * How much is left.
   *
   * @throws StockUnavailableException if the stock could not be asked
   */
  StockLevel level(StockAddress coupon);

  /**
   * Slots below the next one that can be claimed again, lowest first.
   *
   * @param after the last slot of the page before, or null
   * @throws StockUnavailableException if the stock could not be asked
   */
  List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max);

  /**
   * Gives slots to late claims, whatever the window, the status or the depth of the log, and
   * without a log entry. Who holds a slot keeps it; else the promised one if it is free; else the
   * lowest free one; else the claim is rejected, and the ledger remembers.
   *
   * @param claims of this coupon; at most {@link #maxClaimsPerCall()}
   * @return an outcome for each claim, in the same order
   * @throws StockUnavailableException if the server did not say that it is done
   */
  List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> claims);

  /**
   * Lets a slot be claimed again by others, if the user holds it and the generation is newer than
   * the last one freed of that slot. So asking again, even late, when somebody else has the slot,
   * changes nothing. A slot above the total leaves its owner and cannot be claimed.
   *
   * @param generation counts the holders of the slot, from 1
   * @throws StockUnavailableException if the server did not say that it is done
   */
  ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation);
}
