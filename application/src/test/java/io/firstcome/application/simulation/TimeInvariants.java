package io.firstcome.application.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.simulation.AnswerRecord.Kind;
import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * The invariants of the times of user coupons: the database's clock decides them, however wrong the
 * stock's clock was when the claim was accepted.
 */
final class TimeInvariants {

  /** The validity of the fixtures' coupons. */
  private static final Duration VALIDITY = Duration.ofDays(30);

  private static final Duration BOUND = ClockEstimate.MAX_DIFFERENCE;

  private final SimulationSetting setting;
  private final SimulatedServers servers;
  private final SimulatedFreezes freezes;
  private final Instant start;
  private final ErasedUsers erased;
  private final Set<UserCouponId> seen = new HashSet<>();

  /** Rows whose times the database's clock has bounded while it was wrong. */
  private final Set<UserCouponId> writtenByWrongClock = new HashSet<>();

  private boolean databaseClockWasWrong;

  TimeInvariants(SimulationSetting setting, SimulatedServers servers, SimulatedFreezes freezes) {
    this.setting = setting;
    this.servers = servers;
    this.freezes = freezes;
    start = setting.time().instant();
    erased = new ErasedUsers(setting.users());
  }

  private Owner owner(UserCoupon row) {
    return new Owner(row.couponId(), erased.userOf(row.userId()));
  }

  void holdAtEveryMoment() {
    var latest = setting.time().instant().plus(BOUND);
    databaseClockWasWrong |= servers.databaseClock.isWrong();
    for (var row : servers.database.allUserCoupons()) {
      if (seen.add(row.id()) && servers.databaseClock.isWrong()) {
        writtenByWrongClock.add(row.id());
      }
      assertThat(row.issuedAt())
          .as("I11 time of acceptance of %s", row.id())
          .isAfterOrEqualTo(earliest(row).minus(BOUND));
      if (!writtenByWrongClock.contains(row.id())) {
        assertThat(row.issuedAt())
            .as("I11 time of acceptance of %s", row.id())
            .isBeforeOrEqualTo(latest);
      }
      assertThat(row.ownership().expiresAt())
          .as("I11 validity of %s", row.id())
          .isEqualTo(row.issuedAt().plus(VALIDITY));
      assertThat(row).as("I11 expired early").isNotInstanceOf(UserCoupon.Expired.class);
    }
  }

  /** All coupons were defined at the start; a wrong clock may have opened one of them early. */
  private Instant earliest(UserCoupon row) {
    var opensAt = setting.windowOf(row.couponId()).opensAt();
    return opensAt.isBefore(start) || isByWrongClock(row) ? start : opensAt;
  }

  private boolean isByWrongClock(UserCoupon row) {
    return writtenByWrongClock.contains(row.id())
        || setting.record().isAcceptedByWrongClock(owner(row));
  }

  /**
   * No validity begins before the first request of its user, except by a clock that was wrong for
   * long. Instances that start while the database's clock is wrong follow it, and note claims that
   * only the ledger has as accepted at that time.
   */
  void holdAtRest() {
    if (databaseClockWasWrong) {
      return;
    }
    var bound = BOUND.plus(freezes.longestStandstill());
    for (var row : servers.database.allUserCoupons()) {
      if (!isByWrongClock(row)) {
        assertThat(row.issuedAt())
            .as("I11 time of acceptance of %s by the database's clock", row.id())
            .isAfterOrEqualTo(firstRequested(owner(row)).minus(bound));
      }
    }
  }

  private Instant firstRequested(Owner owner) {
    return setting.record().requests().stream()
        .filter(request -> request.kind == Kind.CLAIM && request.owner.equals(owner))
        .map(request -> request.askedWhen)
        .min(Instant::compareTo)
        .orElseThrow(() -> new AssertionError("no request of " + owner));
  }
}
