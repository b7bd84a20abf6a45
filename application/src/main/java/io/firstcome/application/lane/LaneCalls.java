package io.firstcome.application.lane;

import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The calls of one coupon that carry the requests of several users.
 *
 * @param <O> the outcome of a request
 */
public interface LaneCalls<O> {

  /** How many calls may be in flight at a time and still take effect in order. */
  int maxInFlight();

  /** The most users that one call may carry. */
  int maxPerCall();

  /**
   * Sends a call.
   *
   * @param users in order of arrival
   * @param withPseudonyms whether it has the pseudonym of each user
   * @param within the call takes effect within this time, or never
   * @return an outcome for each user, in the same order; or completed exceptionally. It may never
   *     complete
   */
  CompletionStage<List<O>> send(List<UserId> users, boolean withPseudonyms, Duration within);

  /** The outcome of a request that was not sent: nothing happened. */
  O busy();

  /** The outcome of each request of a call that must be repeated with pseudonyms. */
  O repeat();

  /**
   * A call ended.
   *
   * @param users as they were sent
   * @param outcomes of each user, in the same order; empty if the call was not answered
   */
  void ended(List<UserId> users, List<O> outcomes, Duration took);
}
