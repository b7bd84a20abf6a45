package io.firstcome.benchmark.lab.strategy;

import io.firstcome.domain.coupon.StockBackend;
import java.util.List;
import java.util.Optional;

/**
 * A strategy of the lab, by its name.
 *
 * @param id for the command line
 * @param name what it is
 * @param verdict why it fails where it does, or what its exactness costs, in one line
 * @param usesRedis whether the death of Redis concerns it
 * @param sound whether it should be exact through the deaths that the lab tries; what else it shows
 *     depends on the moment
 */
public record Contender(
    String id, String name, String verdict, boolean usesRedis, boolean sound, Opener opener) {

  /** How a strategy comes to its stores. */
  public interface Opener {
    Strategy open(Stores stores, int pieces);
  }

  private static final boolean REDIS = true;
  private static final boolean SOUND = true;

  private static final List<Contender> ALL =
      List.of(
          new Contender(
              "check-then-act",
              "count, then insert",
              "what was counted changes before the insert: callers who count together win together",
              !REDIS,
              !SOUND,
              CheckThenAct::new),
          new Contender(
              "row-lock",
              "SELECT … FOR UPDATE on the coupon",
              "exact; every win waits for the flush of the win before it",
              !REDIS,
              SOUND,
              (stores, pieces) -> new RowLock(stores, pieces, RowLock.Wait.FOR_UPDATE)),
          new Contender(
              "nowait",
              "FOR UPDATE NOWAIT with retries",
              "never too many; most work is in failed tries, and who is out of tries goes while pieces are left",
              !REDIS,
              !SOUND,
              NowaitRowLock::new),
          new Contender(
              "skip-locked",
              "SKIP LOCKED over a row for each piece",
              "exact; still one transaction a claim, and taken rows lie before the free ones in the index",
              !REDIS,
              SOUND,
              SkipLocked::new),
          new Contender(
              "user-keys",
              "Redis counter, a key a user for 300 s, then the row",
              "a death between counter and row loses the piece, and the user hears \"you have it\"",
              REDIS,
              !SOUND,
              UserKeys::new),
          new Contender(
              "user-set",
              "Redis set and SCARD, then the row",
              "a death between set and row loses the piece; late ones crowd each other out at the end",
              REDIS,
              !SOUND,
              UserSet::new),
          new Contender(
              "stock-list",
              "Redis list of pieces, set and hash, a job for the rows",
              "a death between LPOP and HSET: the piece is in no structure any more",
              REDIS,
              !SOUND,
              StockList::new),
          new Contender(
              "remaining-hash",
              "Redis hash with remaining, then the row",
              "a death between counting down and the row loses the piece",
              REDIS,
              !SOUND,
              RemainingHash::new),
          new Contender(
              "fire-and-forget",
              "Lua: counter and set; message sent, not awaited",
              "winners whose message was not out when the process or Redis died never get a row",
              REDIS,
              !SOUND,
              FireAndForget::new),
          new Contender(
              "pub-sub",
              "Lua: counter and set; Redis Pub/Sub",
              "Pub/Sub keeps nothing: what the subscriber had not written when it died is gone",
              REDIS,
              !SOUND,
              PubSubHandOff::new),
          new Contender(
              "stream",
              "Lua: counter, set and stream; consumer",
              "exact; a call, and its share of a flush, for each claim",
              REDIS,
              SOUND,
              StreamHandOff::new),
          new Contender(
              "multi-exec",
              "MULTI/EXEC with compensation, then the row",
              "a death before the compensation or the row leaves a piece counted that nobody has",
              REDIS,
              !SOUND,
              MultiExec::new),
          new Contender(
              "redisson-lock",
              "Redisson lock around check and insert",
              "exact while the lock is one; one claim at a time, and none for a while after a death",
              REDIS,
              !SOUND,
              DistributedLock::new),
          new Contender(
              "firstcome",
              "Firstcome on Redis",
              "exact; one call and one flush for a whole group of claims",
              REDIS,
              SOUND,
              (stores, pieces) -> new FirstcomeItself(stores, pieces, StockBackend.REDIS)),
          new Contender(
              "firstcome-postgres",
              "Firstcome on PostgreSQL",
              "exact; one lock and one commit for a whole group of claims",
              !REDIS,
              SOUND,
              (stores, pieces) -> new FirstcomeItself(stores, pieces, StockBackend.POSTGRES)));

  /** All of them, in the order of the report. */
  public static List<Contender> all() {
    return ALL;
  }

  public static Optional<Contender> find(String id) {
    return ALL.stream().filter(contender -> contender.id().equals(id)).findFirst();
  }
}
