package io.firstcome.application.rehearsal;

import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.application.reconciliation.ExactnessProof;
import io.firstcome.application.reconciliation.ProveExactness;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockServer;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.rehearsal.CrowdResult;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a rehearsal: defines the clone, has the crowd claim it, waits until all accepted claims are
 * rows, and proves that they are exactly those. {@link RemoveRehearsal} removes what it leaves.
 */
public final class RunRehearsal {

  private static final Duration OPEN_SINCE = Duration.ofMinutes(1);

  /** Far longer than a crowd takes. */
  private static final Duration OPEN_FOR = Duration.ofHours(2);

  private static final Duration RECORDED_WITHIN = Duration.ofMinutes(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final Rehearsals rehearsals;
  private final CouponRepository coupons;
  private final DefineCoupon defineCoupon;
  private final UserCouponRepository userCoupons;
  private final ProveExactness proveExactness;
  private final Crowd crowd;
  private final @Nullable StockServer stockServer;
  private final InstantSource clock;

  /**
   * @param stockServer null if the stock of all coupons is in the database
   */
  public RunRehearsal(
      Rehearsals rehearsals,
      CouponRepository coupons,
      DefineCoupon defineCoupon,
      UserCouponRepository userCoupons,
      ProveExactness proveExactness,
      Crowd crowd,
      @Nullable StockServer stockServer,
      InstantSource clock) {
    this.rehearsals = rehearsals;
    this.coupons = coupons;
    this.defineCoupon = defineCoupon;
    this.userCoupons = userCoupons;
    this.proveExactness = proveExactness;
    this.crowd = crowd;
    this.stockServer = stockServer;
    this.clock = clock;
  }

  /**
   * Runs it to its end, also if it is stopped meanwhile.
   *
   * @throws ServerUnavailableException if a server was not reachable when its clone was defined or
   *     its result was to be stored; it has no result then
   */
  public void run(Rehearsal rehearsal) throws InterruptedException {
    boolean done = false;
    try {
      done = attempt(rehearsal);
    } finally {
      if (!done) {
        rehearsals.stop(rehearsal.id(), Actor.REHEARSAL, clock.instant());
      }
    }
  }

  /** Returns whether it has a result. */
  private boolean attempt(Rehearsal rehearsal) throws InterruptedException {
    var plan = rehearsal.plan();
    var planned = coupons.find(plan.couponId()).orElse(null);
    // It can have been stopped while it waited for this instance.
    if (planned == null || !rehearsals.goesOn(rehearsal.id(), 0)) {
      return false;
    }
    var defined =
        defineCoupon.defineForRehearsal(
            definition(planned.definition(), rehearsal.cloneId(), plan.quantity()),
            planned.stockBackend(),
            rehearsal.actor());
    if (!(defined instanceof DefineCoupon.Result.Defined)
        || !rehearsals.goesOn(rehearsal.id(), 0)) {
      return false;
    }
    var bytesBefore = planned.stockBackend() == StockBackend.REDIS ? usedBytes() : null;
    var rows = new RowWatch(rehearsal, System.nanoTime());
    var answered = crowd.claim(plan, rehearsal.cloneId(), rows::goesOn);
    if (!rows.await(answered)) {
      return false;
    }
    var proof = rows.proof;
    var bytesAfter = bytesBefore == null ? null : usedBytes();
    rehearsals.end(
        rehearsal.id(),
        new RehearsalResult(
            answered,
            rows.recordedAfter,
            proof == null
                ? List.of("The stock and the database could not be compared.")
                : faults(proof, answered, plan),
            bytesBefore == null || bytesAfter == null
                ? null
                : (Long) Math.max(0, bytesAfter - bytesBefore)));
    return true;
  }

  /** Open since a while, so that the clocks of the servers need not agree. */
  private CouponDefinition definition(CouponDefinition planned, CouponId cloneId, int quantity) {
    var opensAt = clock.instant().minus(OPEN_SINCE);
    return new CouponDefinition(
        cloneId,
        "Rehearsal of " + planned.couponId(),
        quantity,
        planned.discount(),
        planned.minimumOrder(),
        new IssuanceWindow(opensAt, opensAt.plus(OPEN_FOR)),
        new Validity.Days(1),
        false,
        null,
        null);
  }

  private @Nullable Long usedBytes() {
    try {
      return stockServer == null ? null : (Long) stockServer.read().usedBytes();
    } catch (ServerUnavailableException e) {
      return null;
    }
  }

  /** Notices when all accepted claims are rows, and proves it. */
  private final class RowWatch {

    private final Rehearsal rehearsal;
    private final long begun;
    private final long expected;
    private @Nullable Duration recordedAfter;
    private @Nullable ExactnessProof proof;

    RowWatch(Rehearsal rehearsal, long begun) {
      this.rehearsal = rehearsal;
      this.begun = begun;
      this.expected = Math.min(rehearsal.plan().users(), rehearsal.plan().quantity());
    }

    /**
     * Notes how far the crowd is, and counts the rows while claims are still being answered.
     *
     * @return false if the rehearsal was stopped
     */
    boolean goesOn(int answers) {
      boolean goesOn = true;
      try {
        goesOn = rehearsals.goesOn(rehearsal.id(), answers);
        if (recordedAfter == null && answers >= expected && rows() == expected) {
          recordedAfter = elapsed();
        }
      } catch (ServerUnavailableException e) {
        // The crowd goes on, as customers do.
      }
      return goesOn;
    }

    private long rows() {
      return userCoupons.countByState(rehearsal.cloneId(), clock.instant()).values().stream()
          .mapToLong(count -> count)
          .sum();
    }

    private Duration elapsed() {
      return Duration.ofNanos(System.nanoTime() - begun);
    }

    /**
     * Waits until all accepted claims are rows, or the limit of time, and compares them with the
     * stock. A server that is away comes back, or the time is over.
     *
     * @return false if the rehearsal was stopped
     */
    boolean await(CrowdResult answered) throws InterruptedException {
      long end = System.nanoTime() + RECORDED_WITHIN.toNanos();
      boolean isOver = false;
      while (!isOver) {
        if (!goesOn(answered.answers())) {
          return false;
        }
        isOver = System.nanoTime() > end;
        try {
          // The comparison costs more than counting the rows.
          if (isOver || recordedAfter != null || rows() >= answered.accepted()) {
            isOver |= isProven();
          }
        } catch (ServerUnavailableException e) {
          proof = null;
        }
        if (!isOver) {
          Thread.sleep(LOOK_EVERY);
        }
      }
      return true;
    }

    private boolean isProven() {
      var found = proveExactness.prove(rehearsal.cloneId()).orElse(null);
      proof = found;
      boolean isRecorded = found != null && found.unrecorded() == 0;
      if (isRecorded && recordedAfter == null) {
        recordedAfter = elapsed();
      }
      return isRecorded;
    }
  }

  private static List<String> faults(
      ExactnessProof proof, CrowdResult answered, RehearsalPlan plan) {
    var faults = new ArrayList<String>();
    addIf(proof.unrecorded(), "accepted claims are not recorded", faults);
    addIf(proof.missing(), "accepted claims are lost", faults);
    addIf(proof.extra(), "rows have no claim in the stock", faults);
    addIf(proof.lost(), "slots have no user and cannot be claimed", faults);
    addIf(proof.duplicateUsers(), "users have more than one row", faults);
    addIf(
        answered.accepted() - proof.slotsUsed(),
        "users were promised a coupon and have none",
        faults);
    // The outcome of a claim without an answer is not known.
    addIf(
        proof.slotsUsed() - answered.accepted() - answered.failed(),
        "slots were given to users who were refused",
        faults);
    addIf(proof.slotsUsed() - plan.quantity(), "more slots were given than there are", faults);
    return faults;
  }

  private static void addIf(long number, String what, List<String> faults) {
    if (number > 0) {
      faults.add("%d %s.".formatted(number, what));
    }
  }
}
