package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.agent.HaltMarker;
import java.time.Duration;
import java.util.List;

/**
 * The course of one {@link Scenario}, as it tells it: when the fault struck and what it hit, when
 * it was mended, and how the coupon ended. A scenario that leaves one of them out shows nothing and
 * fails.
 */
public final class Fault {

  private static final Duration LOAD_LIMIT = Duration.ofSeconds(10);

  private int inFlight;
  private long mendedNanos;
  private Duration back = Duration.ZERO;
  private Duration rest = Duration.ZERO;
  private Toll toll = Toll.NONE;

  Fault() {}

  /** Does the harm while requests of the crowd are under way. */
  public void strike(Crowd crowd, Runnable harm) {
    Await.until(
        LOAD_LIMIT,
        "requests under way",
        () -> {
          inFlight = crowd.inFlight();
          return inFlight > 0;
        });
    harm.run();
  }

  /** Nothing breaks: the crowd itself is what must be stood. */
  public void isTheCrowd(Crowd crowd) {
    Await.until(LOAD_LIMIT, "requests under way", () -> crowd.mostInFlight() > 0);
    inFlight = crowd.mostInFlight();
    healsByItself();
  }

  /**
   * An instance has halted by itself, at a moment of its own choice; the others must do without.
   */
  public void struckAt(HaltMarker halt, World world, String couponId) {
    inFlight =
        (int)
            world.record().claimsOf(couponId).stream()
                .filter(
                    claim -> claim.beginNanos() < halt.nanos() && claim.endNanos() > halt.nanos())
                .count();
    healsByItself();
  }

  /** Removes the cause. From its return on, the time to heal is counted. */
  public void mend(Runnable repair) {
    repair.run();
    mendedNanos = System.nanoTime();
  }

  /** To be called right after the strike where nobody has to repair anything. */
  public void healsByItself() {
    mend(() -> {});
  }

  /** What {@link Exactness#assertExact} demands, and the numbers for the report. */
  public StoredCoupon exact(World world, String couponId) {
    return exact(Exactness.of(world, couponId));
  }

  /** The same and I9, and that no recovery was needed. */
  public StoredCoupon exactInOrder(World world, String couponId) {
    return exact(Exactness.of(world, couponId).inOrderWithin(world.epochAtDefinition(couponId)));
  }

  /** The same where the last copy of some claims was destroyed. */
  public StoredCoupon exactBut(World world, String couponId, Loss loss) {
    return exact(Exactness.of(world, couponId).but(loss));
  }

  private StoredCoupon exact(Exactness exactness) {
    assertThat(mendedNanos).as("moment at which the fault was mended").isNotZero();
    exactness.awaitRest();
    long atRest = System.nanoTime();
    StoredCoupon stored = exactness.check();
    List<RecordedClaim> claims = exactness.claims();
    toll = toll.plus(Toll.of(claims, stored));
    back = longer(back, untilAnswered(claims));
    rest = longer(rest, Duration.ofNanos(atRest - lastEnd(claims)));
    return stored;
  }

  /** From the repair to the first answer, asked for after it, that a retry could not better. */
  private Duration untilAnswered(List<RecordedClaim> claims) {
    long first =
        claims.stream()
            .filter(claim -> claim.isSettled() && claim.beginNanos() > mendedNanos)
            .mapToLong(RecordedClaim::endNanos)
            .min()
            .orElse(mendedNanos);
    return Duration.ofNanos(first - mendedNanos);
  }

  /** The moment from which on nothing new was asked, and all was mended. */
  private long lastEnd(List<RecordedClaim> claims) {
    return claims.stream()
        .mapToLong(RecordedClaim::endNanos)
        .filter(end -> end < Long.MAX_VALUE)
        .reduce(mendedNanos, Math::max);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** How long after the repair users had final answers again. */
  public Duration back() {
    return back;
  }

  ReportRow row(Scenario scenario) {
    assertThat(inFlight).as("requests under way at the fault").isPositive();
    assertThat(toll.requests()).as("requests of coupons that were checked").isPositive();
    return new ReportRow(
        scenario.number(),
        scenario.fault(),
        List.of(scenario.guards()),
        inFlight,
        toll,
        back,
        rest);
  }
}
