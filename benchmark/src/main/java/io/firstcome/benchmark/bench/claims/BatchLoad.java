package io.firstcome.benchmark.bench.claims;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.benchmark.rig.FirstcomeRig;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Claims of new users in calls of a fixed size, with as many in flight as the stock allows. */
public final class BatchLoad {

  private static final Duration CALL_TIME = ApplicationLimits.defaults().claims().callTime();

  private BatchLoad() {}

  /**
   * Sends this number of claims and returns the claims per second.
   *
   * @throws IllegalStateException if a claim was not accepted
   */
  public static double claimsPerSecond(FirstcomeRig rig, Coupon coupon, int batch, int claims) {
    var address = rig.epochs().address(coupon);
    int maxInFlight = rig.stock().maxCallsInFlight();
    int calls = claims / batch;
    Deque<CompletableFuture<List<ClaimOutcome>>> inFlight = new ArrayDeque<>();
    long from = System.nanoTime();
    for (int call = 0; call < calls; call++) {
      if (inFlight.size() == maxInFlight) {
        requireAccepted(inFlight.remove().join());
      }
      List<Claim> group =
          IntStream.range(call * batch, (call + 1) * batch)
              .mapToObj(number -> new Claim(ClaimLoad.user(number), null))
              .toList();
      inFlight.add(rig.stock().claim(address, null, group, CALL_TIME).toCompletableFuture());
    }
    inFlight.forEach(call -> requireAccepted(call.join()));
    return calls * (double) batch * 1e9 / (System.nanoTime() - from);
  }

  private static void requireAccepted(List<ClaimOutcome> outcomes) {
    for (ClaimOutcome outcome : outcomes) {
      if (!(outcome instanceof ClaimOutcome.Accepted)) {
        throw new IllegalStateException("a claim was not accepted: " + outcome);
      }
    }
  }
}
