package io.firstcome.adapter.persistence;

import static io.firstcome.adapter.persistence.generated.Tables.STOCK_PARTITION;
import static org.jooq.impl.DSL.any;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jooq.DSLContext;

/** The rows that hold the epochs, each made when it is first asked for. */
final class Epochs {

  private Epochs() {}

  /**
   * The current epochs, which nobody can raise before this transaction ends. Rows are locked in the
   * order of their partitions, so that no two transactions wait for each other.
   */
  static Map<Partition, Epoch> hold(DSLContext transaction, Collection<Partition> partitions) {
    var wanted = new TreeSet<>(partitions);
    var held = lock(transaction, wanted);
    if (held.size() < wanted.size()) {
      wanted.forEach(partition -> ensure(transaction, partition));
      held = lock(transaction, wanted);
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

  private static Map<Partition, Epoch> lock(
      DSLContext transaction, Collection<Partition> partitions) {
    var numbers = partitions.stream().map(Partition::number).toArray(Integer[]::new);
    var held = new TreeMap<Partition, Epoch>();
    transaction
        .select(STOCK_PARTITION.PARTITION_ID, STOCK_PARTITION.EPOCH)
        .from(STOCK_PARTITION)
        .where(STOCK_PARTITION.PARTITION_ID.eq(any(numbers)))
        .orderBy(STOCK_PARTITION.PARTITION_ID)
        .forShare()
        .forEach(row -> held.put(new Partition(row.value1()), new Epoch(row.value2())));
    return held;
  }
}
