package io.firstcome.benchmark.lab.published;

import io.firstcome.benchmark.lab.strategy.Contender;
import java.util.List;

/**
 * A script as published, beside the strategy that is its idea in the best form.
 *
 * @param bestForm id of that strategy
 */
public record PublishedScript(String bestForm, Contender contender) {

  private static final boolean USES_REDIS = true;
  private static final boolean SOUND = false;

  private static final List<PublishedScript> ALL =
      List.of(
          beside(
              "check-then-act",
              "published-check-then-decrement",
              "published: GET the stock, then DECR, then the row",
              "callers that read the same stock all win; no check of the user",
              CheckThenDecrement::new),
          beside(
              "user-keys",
              "published-expiring-keys",
              "published: Lua with counter and user key for 300 s, then the row",
              "a user whose key expired wins again; a kill before the row loses the win",
              ExpiringUserKeys::new),
          beside(
              "user-set",
              "published-set-check",
              "published: SISMEMBER, then Lua with SCARD <= quantity, then the row",
              "one too many is issued; two concurrent claims of one user both win",
              SetCheckedOutside::new),
          beside(
              "stock-list",
              "published-list-set-hash",
              "published: Lua with list, set and hash; future for the row",
              "a kill before the future ran loses a win that was answered",
              ListSetAndHash::new),
          beside(
              "remaining-hash",
              "published-remaining-hash",
              "published: Lua with the remaining quantity in a hash, then the row",
              "a kill before the row loses the win; at the end winners are answered \"sold out\"",
              RemainingInHash::new),
          beside(
              "fire-and-forget",
              "published-broker",
              "published: Lua with counter and set; message to the broker",
              "winners whose message did not reach the broker never get a row",
              CounterSetAndBroker::new),
          beside(
              "stream",
              "published-sorted-set",
              "published: sorted set as a queue; worker every second",
              "a kill after ZPOPMIN loses users; a winner who claims again wins again",
              SortedSetQueue::new));

  private static PublishedScript beside(
      String bestForm, String id, String name, String verdict, Contender.Opener opener) {
    return new PublishedScript(
        bestForm, new Contender(id, name, verdict, USES_REDIS, SOUND, opener));
  }

  /** All published scripts. */
  public static List<PublishedScript> all() {
    return ALL;
  }
}
