package io.firstcome.application.rehearsal;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.rehearsal.Forecast;
import io.firstcome.domain.rehearsal.Forecast.Deployment;
import io.firstcome.domain.rehearsal.MeasuredCosts;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalId;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads and stops rehearsals, which throws {@link
 * io.firstcome.domain.port.DatabaseUnavailableException} if the database is not reachable, and
 * forecasts drops from them.
 */
public final class ReadRehearsals {

  private final Rehearsals rehearsals;
  private final InstantSource clock;

  public ReadRehearsals(Rehearsals rehearsals, InstantSource clock) {
    this.rehearsals = rehearsals;
    this.clock = clock;
  }

  public Optional<Rehearsal> find(RehearsalId id) {
    return rehearsals.find(id);
  }

  /** The latest ones, newest first. */
  public List<Rehearsal> latest(int max) {
    return rehearsals.latest(max);
  }

  /** The latest one of the coupon that has a result. */
  public Optional<Rehearsal> latestResult(CouponId couponId) {
    return rehearsals.latestResult(couponId);
  }

  /** Ends a rehearsal before all its users have claimed. No effect if it does not run. */
  public void stop(RehearsalId id, Actor actor) {
    rehearsals.stop(id, actor, clock.instant());
  }

  /**
   * A forecast and the rehearsal that it is calculated from.
   *
   * @param deployment for which it is
   */
  public record FromRehearsal(Forecast forecast, Rehearsal rehearsal, Deployment deployment) {}

  /**
   * What is expected of a drop, from the costs that a rehearsal has measured. It needs a processor
   * for up to half a second, and no server.
   *
   * @param processors of an instance; null for those of the instance that has measured
   * @param sendsClaims whether the instances also send the claims, as in a rehearsal
   * @return empty if the rehearsal has not measured costs
   */
  public static Optional<FromRehearsal> forecast(
      Rehearsal rehearsal,
      RehearsalPlan plan,
      int instances,
      @Nullable Integer processors,
      int claimsAtATime,
      boolean sendsClaims) {
    var result = rehearsal.result();
    if (result == null) {
      return Optional.empty();
    }
    var deployment =
        new Deployment(
            instances,
            processors == null ? result.crowd().processors() : processors,
            claimsAtATime,
            sendsClaims);
    return MeasuredCosts.of(result)
        .map(costs ->
            new FromRehearsal(
                ForecastDrop.forecast(plan, costs, deployment), rehearsal, deployment));
  }
}
