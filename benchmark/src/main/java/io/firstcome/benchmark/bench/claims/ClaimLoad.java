package io.firstcome.benchmark.bench.claims;

import io.firstcome.application.claim.GroupCommit;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Claims of new users of one coupon through group commit. A caller is not a thread: the answer to
 * its claim sends its next one, so that group commit and the stock are measured, and not the
 * scheduler.
 */
public final class ClaimLoad {

  /** Enough callers to fill all calls in flight. */
  public static final int CALLERS = 2_048;

  /** The beginning of a user id, which has 36 characters with the number below. */
  private static final String USER = "00000000-0000-0000-0000-000";

  private static final int FIRST_NUMBER = 100_000_000;

  private final GroupCommit groupCommit;
  private final Coupon coupon;
  private final int firstUser;
  private final int claims;
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  private ClaimLoad(GroupCommit groupCommit, Coupon coupon, int firstUser, int claims) {
    this.groupCommit = groupCommit;
    this.coupon = coupon;
    this.firstUser = firstUser;
    this.claims = claims;
  }

  /**
   * Sends this number of claims and returns the claims per second.
   *
   * @param firstUser number of the first user; the others follow it
   * @throws IllegalStateException if a claim was not accepted
   */
  public static double claimsPerSecond(
      GroupCommit groupCommit, Coupon coupon, int firstUser, int claims) {
    long from = System.nanoTime();
    start(groupCommit, coupon, firstUser, claims, CALLERS).join();
    return claims * 1e9 / (System.nanoTime() - from);
  }

  /**
   * Begins to send this number of claims.
   *
   * @return done when the last claim is answered; exceptionally with an {@link
   *     IllegalStateException} if a claim was not accepted
   */
  public static CompletableFuture<Void> start(
      GroupCommit groupCommit, Coupon coupon, int firstUser, int claims, int callers) {
    var load = new ClaimLoad(groupCommit, coupon, firstUser, claims);
    for (int i = 0; i < Math.min(callers, claims); i++) {
      load.sendNext();
    }
    return load.done;
  }

  static UserId user(int number) {
    return new UserId(USER + (FIRST_NUMBER + number));
  }

  private void sendNext() {
    int number = sent.getAndIncrement();
    if (number < claims) {
      var _ = groupCommit.claim(coupon, user(firstUser + number)).whenComplete(this::answered);
    }
  }

  private void answered(@Nullable ClaimOutcome outcome, @Nullable Throwable failure) {
    if (outcome instanceof ClaimOutcome.Accepted) {
      if (answered.incrementAndGet() == claims) {
        done.complete(null);
      } else {
        sendNext();
      }
    } else {
      done.completeExceptionally(
          new IllegalStateException("a claim was not accepted: " + outcome, failure));
    }
  }
}
