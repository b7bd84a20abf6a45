package io.firstcome.adapter.persistence.epoch;

import static io.firstcome.adapter.persistence.generated.Tables.STOCK_PARTITION;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.resultQuery;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.session.SessionSettings;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;

/** The rows with the epochs of the partitions, each created on first use. */
public final class Epochs {

  private Epochs() {}

  /**
   * The first key of the advisory locks of epochs, "fcep" in ASCII; the second key is the
   * partition.
   *
   * <p>A transaction that holds an epoch shares its lock; one that raises the epoch takes the lock
   * exclusively. The row's own lock would protect the epoch as well, but it is not fair: shared row
   * locks are granted even while an update waits, so recorders of which one always holds the row
   * would block the update. Advisory locks are granted in the order of the requests.
   *
   * @see <a href="https://www.postgresql.org/docs/current/explicit-locking.html">Explicit
   *     locking</a>
   */
  static final int LOCKS = 0x66636570;

  /**
   * Returns the current epochs, which cannot be raised before this transaction ends. Partitions are
   * locked in their order, so that no two transactions deadlock.
   */
  public static Map<Partition, Epoch> hold(
      DSLContext transaction, Collection<Partition> partitions) {
    return hold(transaction, partitions, "");
  }

  /**
   * Like {@link #hold(DSLContext, Collection)}, and limits the wait of this transaction's later
   * statements for a lock. The session's own limit still applies to the lock of the first
   * partition, because a recovery may hold it.
   */
  public static Map<Partition, Epoch> hold(
      DSLContext transaction, Collection<Partition> partitions, Duration lockWait) {
    return hold(
        transaction,
        partitions,
        ", set_config('%s', '%d', true)".formatted(SessionSettings.LOCK_WAIT, lockWait.toMillis()));
  }

  private static Map<Partition, Epoch> hold(
      DSLContext transaction, Collection<Partition> partitions, String furtherColumn) {
    var wanted = new TreeSet<>(partitions);
    var held = lock(transaction, wanted, furtherColumn);
    if (held.size() < wanted.size()) {
      wanted.forEach(partition -> ensure(transaction, partition));
      held = lock(transaction, wanted, furtherColumn);
    }
    return held;
  }

  /** Creates the partition's row if there is none. */
  public static void ensure(DSLContext dsl, Partition partition) {
    dsl.insertInto(STOCK_PARTITION, STOCK_PARTITION.PARTITION_ID)
        .values(partition.number())
        .onConflictDoNothing()
        .execute();
  }

  /**
   * Waits until no other transaction holds the partition's epoch. Later requests to hold it wait
   * until this transaction ends.
   */
  public static void waitForHolders(DSLContext transaction, Partition partition) {
    transaction.execute(
        "SELECT pg_advisory_xact_lock({0}, {1})", inline(LOCKS), val(partition.number()));
  }

  /**
   * Takes shared locks of all partitions, then reads the rows. The statement's snapshot is older
   * than its locks; FOR SHARE makes it read a row's newest version.
   */
  private static Map<Partition, Epoch> lock(
      DSLContext transaction, Collection<Partition> partitions, String furtherColumn) {
    var numbers = partitions.stream().map(Partition::number).toArray(Integer[]::new);
    var locked = name("locked");
    var number = field(name("locked", "number"), SQLDataType.INTEGER);
    var held = new TreeMap<Partition, Epoch>();
    transaction
        .with(locked)
        .asMaterialized(
            resultQuery(
                "SELECT number, pg_advisory_xact_lock_shared({0}, number)"
                    + furtherColumn
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
