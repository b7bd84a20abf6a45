package io.firstcome.benchmark.lab.strategy;

import io.firstcome.domain.coupon.StockBackend;
import java.util.List;
import java.util.Optional;

/**
 * A strategy of the lab, with its names. The published scripts are in {@code PublishedScript}.
 *
 * @param id for the command line
 * @param name short description
 * @param verdict why it is not exact, or what its exactness costs, in one line
 * @param usesRedis whether it is tested with a kill of Redis
 * @param sound whether it must be exact after the kills of the lab; the results of the others
 *     depend on the moment of the kill
 */
public record Contender(
    String id, String name, String verdict, boolean usesRedis, boolean sound, Opener opener) {

  /** Creates a strategy on its stores. */
  public interface Opener {
    Strategy open(Stores stores, int quantity);
  }

  private static final boolean REDIS = true;
  private static final boolean SOUND = true;

  private static final List<Contender> ALL =
      List.of(
          new Contender(
              "check-then-act",
              "count, then insert",
              "the count can change before the insert: callers that read the same count all win",
              !REDIS,
              !SOUND,
              CheckThenAct::new),
          new Contender(
              "row-lock",
              "SELECT … FOR UPDATE on the coupon",
              "exact; every win waits until the previous win is flushed to disk",
              !REDIS,
              SOUND,
              (stores, quantity) -> new RowLock(stores, quantity, RowLock.Wait.FOR_UPDATE)),
          new Contender(
              "nowait",
              "FOR UPDATE NOWAIT with retries",
              "never over-issued; most attempts fail, and some users run out of retries",
              !REDIS,
              !SOUND,
              NowaitRowLock::new),
          new Contender(
              "skip-locked",
              "SKIP LOCKED over a row for each slot",
              "exact; one transaction per claim, and the index has allocated rows before free ones",
              !REDIS,
              SOUND,
              SkipLocked::new),
          new Contender(
              "user-keys",
              "Redis counter, a key per user for 300 s, then the row",
              "a kill between counter and row loses the slot; a retry is answered \"already won\"",
              REDIS,
              !SOUND,
              UserKeys::new),
          new Contender(
              "user-set",
              "Redis set and SCARD, then the row",
              "a kill between set and row loses the slot; the last claims may all be refused",
              REDIS,
              !SOUND,
              UserSet::new),
          new Contender(
              "stock-list",
              "Redis list of slots, set and hash, a job for the rows",
              "a kill between LPOP and HSET loses the slot: no structure has it any more",
              REDIS,
              !SOUND,
              StockList::new),
          new Contender(
              "remaining-hash",
              "Redis hash with the remaining quantity, then the row",
              "a kill between decrement and row loses the slot",
              REDIS,
              !SOUND,
              RemainingHash::new),
          new Contender(
              "fire-and-forget",
              "Lua: counter and set; message sent, reply not awaited",
              "winners whose message was not sent before the process or Redis died never get a row",
              REDIS,
              !SOUND,
              FireAndForget::new),
          new Contender(
              "pub-sub",
              "Lua: counter and set; Redis Pub/Sub",
              "Pub/Sub stores nothing: messages not written before the subscriber died are lost",
              REDIS,
              !SOUND,
              PubSubHandOff::new),
          new Contender(
              "stream",
              "Lua: counter, set and stream; consumer",
              "exact; one call, and a share of a flush, for each claim",
              REDIS,
              SOUND,
              (stores, quantity) -> new StreamHandOff(stores, quantity, new Rows(stores))),
          new Contender(
              "multi-exec",
              "MULTI/EXEC with compensation, then the row",
              "a kill before the compensation or the row leaves a slot counted that no user has",
              REDIS,
              !SOUND,
              MultiExec::new),
          new Contender(
              "redisson-lock",
              "Redisson lock around check and insert",
              "exact with one lock owner; one claim at a time; a kill blocks until lock expiry",
              REDIS,
              !SOUND,
              DistributedLock::new),
          new Contender(
              "firstcome",
              "Firstcome on Redis",
              "exact; one call and one flush for a whole group of claims",
              REDIS,
              SOUND,
              (stores, quantity) -> new FirstcomeItself(stores, quantity, StockBackend.REDIS)),
          new Contender(
              "firstcome-postgres",
              "Firstcome on PostgreSQL",
              "exact; one lock and one commit for a whole group of claims",
              !REDIS,
              SOUND,
              (stores, quantity) -> new FirstcomeItself(stores, quantity, StockBackend.POSTGRES)));

  /** The strategy "stream" with the rows of Firstcome, for a comparison of their speed alone. */
  public static Contender streamToServiceRows() {
    return new Contender(
        "stream-to-service-rows",
        "Lua: counter, set and stream; consumer that writes Firstcome's rows",
        "exact as long as its consumer is not restarted",
        REDIS,
        !SOUND,
        (stores, quantity) ->
            new StreamHandOff(stores, quantity, new FirstcomeRows(stores, quantity)));
  }

  /** The strategies in their best forms and Firstcome, in the order of the report. */
  public static List<Contender> all() {
    return ALL;
  }

  /** The strategy with this id, if it is one of {@link #all}. */
  public static Optional<Contender> find(String id) {
    return ALL.stream().filter(contender -> contender.id().equals(id)).findFirst();
  }
}
