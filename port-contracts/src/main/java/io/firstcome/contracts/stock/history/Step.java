package io.firstcome.contracts.stock.history;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One call of a history that can be made on either side. */
sealed interface Step {

  /** The reply of a call without a result. */
  String DONE = "done";

  Duration NO_WAIT = Duration.ofMillis(1);
  int MAX_WAIT_SECONDS = 30;

  /** Makes the call; returns its reply in a form that both sides share. */
  Object on(Side side);

  /** A call with the address of a coupon. */
  sealed interface OfCoupon extends Step {

    StockAddress coupon();
  }

  /**
   * Claims of users.
   *
   * @param withPseudonyms whether the call can be compared with users who were erased
   */
  record Claims(
      StockAddress coupon,
      @Nullable Campaign campaign,
      List<UserId> users,
      boolean withPseudonyms,
      Duration within)
      implements OfCoupon {
    @Override
    public List<ClaimOutcome> on(Side side) {
      var claims =
          users.stream()
              .map(user -> withPseudonyms ? CouponFixtures.claimOf(user) : new Claim(user, null))
              .toList();
      return side.stock()
          .claim(coupon, campaign, claims, within)
          .toCompletableFuture()
          .orTimeout(MAX_WAIT_SECONDS, TimeUnit.SECONDS)
          .join();
    }
  }

  record Create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms)
      implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.stock().create(coupon, campaign, terms);
      return DONE;
    }
  }

  record Apply(StockAddress coupon, StockTerms terms) implements OfCoupon {
    @Override
    public Object on(Side side) {
      return side.stock().apply(coupon, terms);
    }
  }

  record Remove(StockAddress coupon) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.stock().remove(coupon);
      return DONE;
    }
  }

  record Find(StockAddress coupon, List<UserId> users) implements OfCoupon {
    @Override
    public Map<UserId, LedgerMark> on(Side side) {
      return new TreeMap<>(side.stock().find(coupon, users));
    }
  }

  record Adopt(StockAddress coupon, List<LateClaim> claims) implements OfCoupon {
    @Override
    public Object on(Side side) {
      return side.stock().adopt(coupon, claims);
    }
  }

  record Release(StockAddress coupon, UserId user, Slot slot, int generation) implements OfCoupon {
    @Override
    public Object on(Side side) {
      return side.stock().release(coupon, user, slot, generation);
    }
  }

  record Erase(StockAddress coupon, UserId user) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.stock().erase(coupon, user, CouponFixtures.pseudonymOf(user));
      return DONE;
    }
  }

  record ExpectPseudonyms(StockAddress coupon) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.stock().expectPseudonyms(coupon);
      return DONE;
    }
  }

  /** Requests a lease; replies which users may have a mark by it, or that there is none. */
  record Lease(StockAddress coupon, List<UserId> users) implements OfCoupon {
    @Override
    public Object on(Side side) {
      return side.leases()
          .request(coupon)
          .map(lease -> users.stream().map(lease::mayHaveMark).toList())
          .orElse(List.of());
    }
  }

  /**
   * Ends the last lease, or another one; replies the number of the last one.
   *
   * @param behind how far the number of the lease that is ended is behind the last one's
   */
  record EndLease(StockAddress coupon, int behind) implements OfCoupon {
    @Override
    public Long on(Side side) {
      long latest = side.leases().latest(coupon);
      side.leases().end(coupon, latest - behind);
      return latest;
    }
  }

  record Begin(Partition partition, Epoch epoch) implements Step {
    @Override
    public Object on(Side side) {
      side.recovery().begin(partition, epoch);
      return DONE;
    }
  }

  record PutMarks(StockAddress coupon, Map<UserId, LedgerMark> marks) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.recovery().putMarks(coupon, marks);
      return DONE;
    }
  }

  record Forget(StockAddress coupon, List<UserId> users) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.recovery().forget(coupon, users);
      return DONE;
    }
  }

  record Reserve(StockAddress coupon, List<SlotClaim> claims) implements OfCoupon {
    @Override
    public Object on(Side side) {
      return side.recovery().reserve(coupon, claims);
    }
  }

  record ClearFree(StockAddress coupon) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.recovery().clearFree(coupon);
      return DONE;
    }
  }

  record PutFreed(StockAddress coupon, Map<Slot, Integer> generations) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.recovery().putFreed(coupon, generations);
      return DONE;
    }
  }

  record AddFree(StockAddress coupon, List<Slot> slots) implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.recovery().addFree(coupon, slots);
      return DONE;
    }
  }

  record Ready(StockAddress coupon, StockTerms terms, int next, boolean hasErasedUsers)
      implements OfCoupon {
    @Override
    public Object on(Side side) {
      side.recovery().ready(coupon, terms, next, hasErasedUsers);
      return DONE;
    }
  }

  record Clear(StockAddress coupon) implements OfCoupon {
    @Override
    public ArchiveClearing on(Side side) {
      side.recovery().clear(coupon.partition(), coupon.epoch(), List.of(coupon.couponId()));
      return side.recovery().clearing(coupon.partition(), coupon.epoch());
    }
  }

  record Open(Partition partition, Epoch epoch) implements Step {
    @Override
    public Object on(Side side) {
      side.recovery().open(partition, epoch);
      return DONE;
    }
  }

  record ReadNew(int max) implements Step {
    @Override
    public List<PartitionView.Entry> on(Side side) {
      return side.shared(side.log().readNew(max, NO_WAIT));
    }
  }

  /**
   * Reads all entries of any age, because the order of entries that are equally stale differs
   * between backends; or entries of a great age, which none has.
   */
  record ReadStale(Duration age) implements Step {

    private static final int ALL = 90;

    @Override
    public List<PartitionView.Entry> on(Side side) {
      return side.shared(side.log().readStale(age, ALL));
    }
  }

  /**
   * Removes entries of one partition, by their numbers.
   *
   * @param ofAnotherEpoch whether the references have an epoch that no entry has: with an epoch
   *     that was used, and ids that recur, a reference could be that of another entry
   */
  record Recorded(Partition partition, List<Integer> numbers, boolean ofAnotherEpoch)
      implements Step {

    private static final Epoch UNUSED_EPOCH = new Epoch(1_000);

    @Override
    public Object on(Side side) {
      side.log().recorded(numbers.stream().map(number -> reference(side, number)).toList());
      return DONE;
    }

    private EntryReference reference(Side side, int number) {
      var right = side.entry(partition, number);
      return ofAnotherEpoch ? new EntryReference(partition, right.entryId(), UNUSED_EPOCH) : right;
    }
  }

  record Restart() implements Step {
    @Override
    public Object on(Side side) {
      side.backend().restart();
      return DONE;
    }
  }

  record Wipe() implements Step {
    @Override
    public Object on(Side side) {
      side.backend().wipe();
      return DONE;
    }
  }
}
