package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.STOCK_PARTITION;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.resultQuery;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;

/** The rows that hold the epochs, each made when it is first asked for. */
final class Epochs {

  private Epochs() {}

  /**
   * The first of the two keys of the advisory locks of epochs, the partition being the second:
   * "fcep" in ASCII.
   *
   * <p>Who holds an epoch shares its lock, who raises it has it alone. The row's own lock would
   * keep the epoch as well, but it is not fair: shared locks of a row are given also while an
   * update waits for it, so busy recorders, of which one always holds it, keep the update waiting.
   * Advisory locks are given in the order in which they were asked for.
   *
   * @see <a href="https://www.postgresql.org/docs/current/explicit-locking.html">Explicit
   *     locking</a>
   */
  static final int LOCKS = 0x66636570;

  /**
   * The current epochs, which cannot be raised before this transaction ends. Partitions are locked
   * in their order, so that no two transactions wait for each other.
   */
  static Map<Partition, Epoch> hold(DSLContext transaction, Collection<Partition> partitions) {
    return hold(transaction, partitions, "");
  }

  /**
   * The same, and from now on no statement of this transaction waits longer than that for a lock.
   * The wait for the lock of the first partition is the session's, as a recovery may have it.
   */
  static Map<Partition, Epoch> hold(
      DSLContext transaction, Collection<Partition> partitions, Duration lockWait) {
    return hold(
        transaction,
        partitions,
        ", set_config('%s', '%d', true)".formatted(SessionSettings.LOCK_WAIT, lockWait.toMillis()));
  }

  private static Map<Partition, Epoch> hold(
      DSLContext transaction, Collection<Partition> partitions, String then) {
    var wanted = new TreeSet<>(partitions);
    var held = lock(transaction, wanted, then);
    if (held.size() < wanted.size()) {
      wanted.forEach(partition -> ensure(transaction, partition));
      held = lock(transaction, wanted, then);
    }
    return held;
  }

  /** Makes the partition's row where there is none. */
  static void ensure(DSLContext dsl, Partition partition) {
    dsl.insertInto(STOCK_PARTITION, STOCK_PARTITION.PARTITION_ID)
        .values(partition.number())
        .onConflictDoNothing()
        .execute();
  }

  /**
   * Waits until no other transaction holds the partition's epoch, and lets none hold it before this
   * one ends. Those that ask later wait.
   */
  static void waitForHolders(DSLContext transaction, Partition partition) {
    transaction.execute(
        "SELECT pg_advisory_xact_lock({0}, {1})", inline(LOCKS), val(partition.number()));
  }

  /**
   * Shares the locks of all partitions, then reads the rows. The statement's snapshot is older than
   * its locks; FOR SHARE makes it read a row's newest version.
   */
  private static Map<Partition, Epoch> lock(
      DSLContext transaction, Collection<Partition> partitions, String then) {
    var numbers = partitions.stream().map(Partition::number).toArray(Integer[]::new);
    var locked = name("locked");
    var number = field(name("locked", "number"), SQLDataType.INTEGER);
    var held = new TreeMap<Partition, Epoch>();
    transaction
        .with(locked)
        .asMaterialized(
            resultQuery(
                "SELECT number, pg_advisory_xact_lock_shared({0}, number)"
                    + then
                    + " FROM unnest({1}) AS number",
                inline(LOCKS),
                val(numbers, SQLDataType.INTEGER.getArrayDataType())))
        .select(STOCK_PARTITION.PARTITION_ID, STOCK_PARTITION.EPOCH)
        .from(table(locked))
        .join(STOCK_PARTITION)
        .on(STOCK_PARTITION.PARTITION_ID.eq(number))
        .orderBy(STOCK_PARTITION.PARTITION_ID)
        .forShare()
        .of(STOCK_PARTITION)
        .forEach(row -> held.put(new Partition(row.value1()), new Epoch(row.value2())));
    return held;
  }
}
