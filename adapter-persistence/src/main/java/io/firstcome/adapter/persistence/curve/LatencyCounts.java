package io.firstcome.adapter.persistence.curve;

import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.arrayGet;
import static org.jooq.impl.DSL.cardinality;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.sum;

import io.firstcome.domain.latency.LatencyHistogram;
import java.math.BigDecimal;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * Sums of columns with the counts of a {@link LatencyHistogram}. An array can be shorter than
 * others; a sum is as long as the longest one.
 */
final class LatencyCounts {

  private LatencyCounts() {}

  /** The sum of the counts of a group of rows. */
  static Field<Long[]> sumOf(Field<Long[]> column) {
    return counts(
        coalesce(max(cardinality(column)), inline(0)),
        index ->
            coalesce(sum(arrayGet(column, index)), inline(BigDecimal.ZERO))
                .cast(SQLDataType.BIGINT));
  }

  static Field<Long[]> sumOf(Field<Long[]> one, Field<Long[]> other) {
    return counts(
        greatest(cardinality(one), cardinality(other)),
        index -> count(one, index).plus(count(other, index)));
  }

  private static Field<Long> count(Field<Long[]> column, int index) {
    return coalesce(arrayGet(column, index), inline(0L));
  }

  /**
   * @param count at an index, from 1
   */
  private static Field<Long[]> counts(Field<Integer> length, IntFunction<Field<Long>> count) {
    var all = IntStream.rangeClosed(1, LatencyHistogram.BOUNDS.size()).mapToObj(count).toList();
    return field("({0})[1:{1}]", SQLDataType.BIGINT.getArrayDataType(), array(all), length);
  }
}
