package io.firstcome.application.simulation;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.SettableClock;
import io.firstcome.application.claim.ClaimLimits;
import io.firstcome.application.event.EventLimits;
import io.firstcome.application.reconciliation.ComparisonLimits;
import io.firstcome.application.recording.RecordingLimits;
import io.firstcome.application.recovery.RecoveryLimits;
import io.firstcome.application.retention.RetentionLimits;
import io.firstcome.application.soldout.SoldOutLimits;
import io.firstcome.application.usercoupon.UserCouponLimits;
import io.firstcome.application.waitingroom.RoomLimits;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The parts of a history and the features that it uses, as its seed decides.
 *
 * @param time the right time
 * @param returning whether customers give coupons back and operators revoke them
 * @param archiving whether operators close and archive coupons, some during faults and all at the
 *     end
 * @param losing whether operators pause and resume coupons, and the database loses changes by
 *     operators
 * @param telling whether events are published
 * @param locking whether rows of coupons are locked at times
 * @param jumping whether the clock of the database jumps
 * @param erasing whether operators erase users
 */
record SimulationSetting(
    Schedule schedule,
    FaultProfile faultProfile,
    SettableClock time,
    AnswerRecord record,
    List<Partition> partitions,
    List<Coupon> coupons,
    List<UserId> users,
    boolean returning,
    boolean archiving,
    boolean losing,
    boolean telling,
    boolean locking,
    boolean jumping,
    boolean erasing) {

  private static final int RETURNING_EVERY = 3;
  private static final int ARCHIVING_EVERY = 4;
  private static final int LOSING_EVERY = 8;
  private static final int TELLING_EVERY = 2;
  private static final int LOCKING_EVERY = 8;
  private static final int JUMPING_EVERY = 11;

  /** By the remainder of the seed: none of a seed whose history {@link SimulationTest} names. */
  private static final Set<Long> WITH_CAMPAIGN = Set.of(0L, 6L, 9L, 10L);

  private static final int CAMPAIGN_REMAINDERS = 24;

  /** Like {@link #WITH_CAMPAIGN}. */
  private static final Set<Long> ERASING = Set.of(2L, 3L, 6L);

  private static final int ERASING_REMAINDERS = 14;
  private static final Duration LONG_OPEN = Duration.ofDays(60);
  private static final Duration LEFT_OPEN = Duration.ofDays(20);
  private static final int MAX_SECONDS_CLOSED = 120;

  /** Of all coupons of a history that has one. */
  private static final Campaign CAMPAIGN = CouponFixtures.campaign(1, "COUPON0", "COUPON1");

  /** Small limits, none of which depends on real time. */
  static final ApplicationLimits LIMITS =
      new ApplicationLimits(
          new ClaimLimits(
              30, Duration.ofHours(1), Duration.ofSeconds(1), Duration.ofHours(1), 2, 3, 2),
          new SoldOutLimits(1, Duration.ofMillis(100), 10),
          RoomLimits.defaults(),
          new RecordingLimits(
              3,
              Duration.ZERO,
              Duration.ofSeconds(2),
              4,
              Duration.ZERO,
              1,
              Duration.ofHours(1),
              3,
              Duration.ofSeconds(10),
              12),
          new RecoveryLimits(1_000, Duration.ZERO, Duration.ZERO, 2, 3),
          new ComparisonLimits(3, 3, 3, Duration.ofDays(1_000), 100, 1, Duration.ZERO),
          new UserCouponLimits(4, 3, 20, 50, Duration.ofMinutes(1), 3),
          new EventLimits(3),
          new RetentionLimits(3, Duration.ZERO, Duration.ZERO));

  static SimulationSetting of(long seed) {
    var schedule = new Schedule(seed);
    var faultProfile = new FaultProfile(schedule);
    boolean returning = seed % RETURNING_EVERY == 0;
    boolean erasing = ERASING.contains(seed % ERASING_REMAINDERS);
    var partitions = Partition.all(1 + schedule.below(2));
    var time = new SettableClock();
    var coupons = new ArrayList<Coupon>();
    int couponCount = 1 + schedule.below(2);
    boolean campaign = WITH_CAMPAIGN.contains(seed % CAMPAIGN_REMAINDERS);
    if (campaign) {
      couponCount = 2;
    }
    for (int i = 0; i < couponCount; i++) {
      var coupon =
          CouponFixtures.aCoupon()
              .withId("COUPON" + i)
              .withTotal(1 + schedule.below(schedule.chance(0.3) ? 4 : 40))
              .inPartition(schedule.oneOf(partitions));
      if (faultProfile.hasJumps()) {
        coupon.opening(opening(schedule, time.instant()), time.instant().plus(LEFT_OPEN));
      }
      boolean slotsGoBack = returning && schedule.chance(0.8);
      if (campaign) {
        coupon.inPartition(partitions.getFirst()).inCampaign(CAMPAIGN);
      }
      coupons.add((slotsGoBack ? coupon.returningToStock() : coupon).build());
    }
    var users =
        IntStream.range(0, 4 + schedule.below(40)).mapToObj(i -> new UserId("user-" + i)).toList();
    return new SimulationSetting(
        schedule,
        faultProfile,
        time,
        new AnswerRecord(schedule),
        partitions,
        List.copyOf(coupons),
        users,
        returning,
        seed % ARCHIVING_EVERY == 0,
        seed % LOSING_EVERY == 0,
        erasing || (returning && seed % TELLING_EVERY == 1),
        seed % LOCKING_EVERY == 6,
        seed % JUMPING_EVERY == 10,
        erasing);
  }

  /** An opening before any time that a clock jumps back to, or one during the history. */
  private static Instant opening(Schedule schedule, Instant start) {
    return schedule.chance(0.5)
        ? start.minus(LONG_OPEN)
        : start.plusSeconds(schedule.below(MAX_SECONDS_CLOSED));
  }

  IssuanceWindow windowOf(CouponId couponId) {
    return coupons.stream()
        .filter(coupon -> coupon.id().equals(couponId))
        .findAny()
        .orElseThrow()
        .definition()
        .window();
  }
}
