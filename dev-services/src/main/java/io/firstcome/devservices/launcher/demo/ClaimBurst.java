package io.firstcome.devservices.launcher.demo;

import java.util.function.IntConsumer;

/** One claim for each of many users, sent as fast as possible. */
public final class ClaimBurst {

  private final Tally tally;
  private final Burst burst;

  public ClaimBurst(int port, String couponId, int users) {
    UserRequests requests = new UserRequests(port, couponId);
    tally = new Tally(users);
    burst = new Burst(port, users, user -> requests.claim(user, ""), tally);
  }

  public Tally tally() {
    return tally;
  }

  /**
   * Connects, then sends all claims.
   *
   * @param progress receives the number of answers at intervals
   * @return the time from the first claim to the last answer, in nanoseconds
   */
  public long run(IntConsumer progress) {
    return burst.run(progress);
  }
}
