package io.firstcome.benchmark.bench.row;

import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Measures what the rows of a {@link RowWriter} cost the server. */
public final class RowMeter {

  private static final double NANOS_PER_MICRO = 1e3;

  private RowMeter() {}

  /**
   * The cost of one row, event included.
   *
   * @param micros processor time of the session's process
   * @param walBytes of the write-ahead log
   * @param bytes that the table of user coupons and its indexes have grown by
   */
  public record Cost(double micros, double walBytes, double bytes) {}

  /** The counters of the server. */
  private record Counters(Duration processor, long wal, long bytes) {

    static Counters read(DataSource dataSource) throws SQLException {
      try (var connection = dataSource.getConnection();
          var statement = connection.createStatement();
          var row =
              statement.executeQuery(
                  "SELECT pg_backend_pid(), pg_current_wal_insert_lsn() - '0/0',"
                      + " pg_total_relation_size('user_coupon')")) {
        row.next();
        var processor = ProcessHandle.of(row.getLong(1)).orElseThrow().info().totalCpuDuration();
        return new Counters(processor.orElseThrow(), row.getLong(2), row.getLong(3));
      }
    }
  }

  /**
   * Writes the batches. Before and after, the outbox is emptied, as by the relay, and a checkpoint
   * makes both writers log the first change of each page as a whole.
   */
  public static Cost write(RowWriter writer, List<List<AcceptedClaim>> batches)
      throws SQLException {
    prepare(writer.dataSource());
    Counters before = Counters.read(writer.dataSource());
    long rows = 0;
    for (List<AcceptedClaim> batch : batches) {
      writer.write(batch);
      rows += batch.size();
    }
    Counters after = Counters.read(writer.dataSource());
    return new Cost(
        after.processor().minus(before.processor()).toNanos() / NANOS_PER_MICRO / rows,
        (double) (after.wal() - before.wal()) / rows,
        (double) (after.bytes() - before.bytes()) / rows);
  }

  private static void prepare(DataSource dataSource) throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("TRUNCATE event_outbox");
      statement.execute("CHECKPOINT");
    }
  }
}
