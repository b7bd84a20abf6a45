package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.agent.HaltMarker;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The course of one {@link Scenario}, as its method reports it: when the fault was triggered, what
 * was in flight, when it was repaired, and how the coupon ended. A scenario that omits one of them
 * fails, as it would show nothing.
 */
public final class Fault {

  private static final Duration LOAD_LIMIT = Duration.ofSeconds(10);

  private int inFlight;
  private long mendedNanos;
  private Duration back = Duration.ZERO;
  private Duration rest = Duration.ZERO;
  private ScenarioCounts counts = ScenarioCounts.NONE;

  Fault() {}

  /** Triggers the fault while requests of the crowd are in flight. */
  public void strike(Crowd crowd, Runnable trigger) {
    strike(crowd::inFlight, trigger);
  }

  /** The same for users of a waiting room. */
  public void strike(WaitingCrowd crowd, Runnable trigger) {
    strike(crowd::inFlight, trigger);
  }

  private void strike(IntSupplier requests, Runnable trigger) {
    Await.until(
        LOAD_LIMIT,
        "requests in flight",
        () -> {
          inFlight = requests.getAsInt();
          return inFlight > 0;
        });
    trigger.run();
  }

  /** No fault is triggered: the load of the crowd is the fault. */
  public void isTheCrowd(Crowd crowd) {
    Await.until(LOAD_LIMIT, "requests in flight", () -> crowd.mostInFlight() > 0);
    inFlight = crowd.mostInFlight();
    healsAutomatically();
  }

  /** An instance has halted at a point of its code; the other instances must take over. */
  public void struckAt(HaltMarker halt, World world, String couponId) {
    inFlight =
        (int)
            world.record().claimsOf(couponId).stream()
                .filter(
                    claim -> claim.beginNanos() < halt.nanos() && claim.endNanos() > halt.nanos())
                .count();
    healsAutomatically();
  }

  /** Removes the cause. The time to recover is measured from its return. */
  public void mend(Runnable repair) {
    repair.run();
    mendedNanos = System.nanoTime();
  }

  /** To be called right after {@link #strike} where no repair is needed. */
  public void healsAutomatically() {
    mend(() -> {});
  }

  /** Checks as {@link Exactness#assertExact} does, and collects the numbers for the report. */
  public StoredCoupon exact(World world, String couponId) {
    return exact(Exactness.of(world, couponId));
  }

  /** The same and I9, and that there was no recovery. */
  public StoredCoupon exactInOrder(World world, String couponId) {
    return exact(Exactness.of(world, couponId).inOrderWithin(world.epochAtDefinition(couponId)));
  }

  /** The same where the last copy of some claims was destroyed. */
  public StoredCoupon exactBut(World world, String couponId, Loss loss) {
    return exact(Exactness.of(world, couponId).but(loss));
  }

  private StoredCoupon exact(Exactness exactness) {
    assertThat(mendedNanos).as("time of the repair").isNotZero();
    exactness.awaitRest();
    long atRest = System.nanoTime();
    StoredCoupon stored = exactness.check();
    List<RecordedClaim> claims = exactness.claims();
    counts = counts.plus(ScenarioCounts.of(claims, stored));
    back = longer(back, untilAnswered(claims));
    rest = longer(rest, Duration.ofNanos(atRest - lastEnd(claims)));
    return stored;
  }

  /** From the repair to the first final answer of a request that began after it. */
  private Duration untilAnswered(List<RecordedClaim> claims) {
    long first =
        claims.stream()
            .filter(claim -> claim.isSettled() && claim.beginNanos() > mendedNanos)
            .mapToLong(RecordedClaim::endNanos)
            .min()
            .orElse(mendedNanos);
    return Duration.ofNanos(first - mendedNanos);
  }

  /** The end of the last request or of the repair, whichever is later. */
  private long lastEnd(List<RecordedClaim> claims) {
    return claims.stream()
        .mapToLong(RecordedClaim::endNanos)
        .filter(end -> end < Long.MAX_VALUE)
        .reduce(mendedNanos, Math::max);
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** The time from the repair to the first final answer. */
  public Duration back() {
    return back;
  }

  ReportRow row(Scenario scenario) {
    assertThat(inFlight).as("requests in flight at the fault").isPositive();
    assertThat(counts.requests()).as("requests of checked coupons").isPositive();
    return new ReportRow(
        scenario.number(),
        scenario.fault(),
        List.of(scenario.guards()),
        inFlight,
        counts,
        back,
        rest);
  }
}
