package io.firstcome.application.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import java.util.List;
import java.util.function.Predicate;

/**
 * Checks each claim when the stock decides it: the issuance window is open by the right time,
 * unless the stock's clock has been wrong for so long that instances follow it.
 */
final class ClaimWitness implements SimulatedClaimCalls.Witness {

  private final SimulationSetting setting;
  private final SimulatedServerClock stockClock;
  private final Predicate<StockAddress> isDeposed;

  /**
   * @param isDeposed whether a stock is on a replaced master that came back
   */
  ClaimWitness(
      SimulationSetting setting,
      SimulatedServerClock stockClock,
      Predicate<StockAddress> isDeposed) {
    this.setting = setting;
    this.stockClock = stockClock;
    this.isDeposed = isDeposed;
  }

  @Override
  public void took(StockAddress coupon, List<Claim> claims, List<ClaimOutcome> outcomes) {
    boolean deposed = isDeposed.test(coupon);
    for (int i = 0; i < claims.size(); i++) {
      var outcome = outcomes.get(i);
      var owner = new Owner(coupon.couponId(), claims.get(i).userId());
      if (outcome instanceof ClaimOutcome.Accepted) {
        accepted(owner, deposed);
      }
      if (!stockClock.mayBeFollowed()) {
        requireTrueWindow(owner, outcome);
      }
    }
  }

  /**
   * A replaced master that came back accepts claims of instances that do not know the later epoch
   * yet. They are settled as late claims, but other users may have their slots.
   */
  private void accepted(Owner owner, boolean deposed) {
    if (deposed) {
      setting.record().slotForgotten(owner);
    }
    if (stockClock.isWrong()) {
      setting.record().acceptedByWrongClock(owner);
      setting.schedule().struck(SimulatedFault.WRONG_CLOCK_FOLLOWED, owner);
    }
  }

  private void requireTrueWindow(Owner owner, ClaimOutcome outcome) {
    var now = setting.time().instant();
    var window = setting.windowOf(owner.couponId());
    var earliest = now.minus(ClockEstimate.MAX_DIFFERENCE);
    var latest = now.plus(ClockEstimate.MAX_DIFFERENCE);
    switch (outcome) {
      case ClaimOutcome.Accepted _ -> {
        assertThat(latest).as("window opens for %s", owner).isAfterOrEqualTo(window.opensAt());
        assertThat(earliest).as("window closes for %s", owner).isBefore(window.closesAt());
      }
      case ClaimOutcome.NotOpen _ ->
          assertThat(earliest).as("window not open for %s", owner).isBefore(window.opensAt());
      case ClaimOutcome.Closed _ ->
          assertThat(setting.archiving() || !latest.isBefore(window.closesAt()))
              .as("window closed for %s", owner)
              .isTrue();
      case ClaimOutcome.Withheld _ ->
          setting.schedule().struck(SimulatedFault.SLOT_WITHHELD, owner);
      case ClaimOutcome.AlreadyIssued _,
          ClaimOutcome.Returned _,
          ClaimOutcome.Rejected _,
          ClaimOutcome.SoldOut _,
          ClaimOutcome.Paused _,
          ClaimOutcome.CampaignLimit _,
          ClaimOutcome.Busy _,
          ClaimOutcome.Repeat _,
          ClaimOutcome.Issued _ -> {}
    }
  }

  @Override
  public void leftOpen(StockAddress coupon, List<Claim> claims) {
    claims.forEach(
        claim -> setting.record().leftOpen(new Owner(coupon.couponId(), claim.userId())));
  }
}
