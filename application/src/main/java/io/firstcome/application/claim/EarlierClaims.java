package io.firstcome.application.claim;

import io.firstcome.application.lane.LaneCalls;
import io.firstcome.application.lane.Lanes;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponStock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Reads the marks of users whose waiting room has not admitted them, in groups: a crowd without
 * admissions must not cost a call for each of them.
 */
public final class EarlierClaims {

  private static final int CALLS_IN_FLIGHT = 2;

  private final Function<Coupon, CouponStock> stockOf;
  private final KnownEpochs epochs;
  private final Executor reading;
  private final Lanes<Found> lanes;

  /** What was found of a user. */
  sealed interface Found {

    /** The user has a mark. */
    record Marked(LedgerMark mark) implements Found {}

    /** The user has none. */
    record NoMark() implements Found {}

    /** Too many users are looked for. */
    record Busy() implements Found {}
  }

  /**
   * @param reading runs tasks that block
   * @param sending as in {@link Lanes}
   */
  public EarlierClaims(
      Function<Coupon, CouponStock> stockOf,
      KnownEpochs epochs,
      ClaimLimits limits,
      Executor reading,
      Executor sending,
      IssuanceObserver observer) {
    this.stockOf = stockOf;
    this.epochs = epochs;
    this.reading = reading;
    this.lanes = new Lanes<>(Calls::new, limits, sending, observer);
  }

  /**
   * Looks for the user's mark.
   *
   * @return what was found, or completed exceptionally, as {@link Lanes#send} says
   */
  CompletionStage<Found> find(Coupon coupon, UserId user) {
    return lanes.send(coupon, user);
  }

  private final class Calls implements LaneCalls<Found> {

    private final Coupon coupon;
    private final CouponStock stock;

    Calls(Coupon coupon) {
      this.coupon = coupon;
      this.stock = stockOf.apply(coupon);
    }

    @Override
    public int maxInFlight() {
      return CALLS_IN_FLIGHT;
    }

    @Override
    public int maxPerCall() {
      return stock.maxClaimsPerCall();
    }

    @Override
    public CompletionStage<List<Found>> send(
        List<UserId> users, boolean withPseudonyms, Duration within) {
      return CompletableFuture.supplyAsync(
          () -> {
            var marks = stock.find(epochs.address(coupon), users);
            return users.stream()
                .<Found>map(user -> {
                  var mark = marks.get(user);
                  return mark == null ? new Found.NoMark() : new Found.Marked(mark);
                })
                .toList();
          },
          reading);
    }

    @Override
    public Found busy() {
      return new Found.Busy();
    }

    /** No call is repeated. */
    @Override
    public Found repeat() {
      return new Found.Busy();
    }

    @Override
    public void ended(List<UserId> users, List<Found> outcomes, Duration took) {
      // Not observed.
    }
  }
}
