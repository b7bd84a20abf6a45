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
 * Reads and stops rehearsals, and forecasts drops from them. All throw {@link
 * io.firstcome.domain.port.DatabaseUnavailableException} if the database is not reachable.
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
   * What is expected of a drop of the coupon, from the costs that its latest rehearsal has
   * measured.
   *
   * @param processors of an instance; null for those of the instance that has measured
   * @param sendsClaims whether the instances also send the claims, as in a rehearsal
   * @return empty if there is no rehearsal that has measured costs
   */
  public Optional<FromRehearsal> forecast(
      RehearsalPlan plan,
      int instances,
      @Nullable Integer processors,
      int claimsAtATime,
      boolean sendsClaims) {
    return rehearsals
        .latestResult(plan.couponId())
        .flatMap(rehearsal -> {
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
        });
  }
}
