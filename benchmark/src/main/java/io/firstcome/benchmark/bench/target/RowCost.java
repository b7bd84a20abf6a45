package io.firstcome.benchmark.bench.target;

import static java.util.Objects.requireNonNull;

import io.firstcome.benchmark.bench.report.Goal;
import io.firstcome.benchmark.bench.report.Measure;
import io.firstcome.benchmark.bench.report.Pair;
import io.firstcome.benchmark.bench.row.FormerRows;
import io.firstcome.benchmark.bench.row.RowMeter;
import io.firstcome.benchmark.bench.row.ServiceRows;
import io.firstcome.devservices.DevServices;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * P2-row: what the row of an accepted claim costs PostgreSQL, with its event, against the former
 * schema and statement in the same server, in turns.
 */
public final class RowCost implements Target {

  private static final CouponId COUPON = new CouponId("BENCH");
  private static final Partition PARTITION = new Partition(0);
  private static final Epoch EPOCH = new Epoch(1);

  /** The batch size of the recorder. */
  private static final int BATCH = 500;

  private static final int ROWS_PER_CLAIM_OF_SCALE = 5;
  private static final double GOAL = 0.45;

  private final Bench bench;
  private final CodeKeys codeKeys = new CodeKeys(Map.of(1, new byte[CodeKeys.MIN_KEY_BYTES]), 1);
  private @Nullable DevServices servers;
  private @Nullable FormerRows former;
  private @Nullable ServiceRows rows;
  private int written;

  public RowCost(Bench bench) {
    this.bench = bench;
  }

  @Override
  public List<Measure> measures() {
    return List.of(
        new Measure(
            "P2-row",
            "processor time of PostgreSQL for a row and its event",
            "microseconds",
            "row",
            "former row",
            Goal.atMost(GOAL)),
        new Measure(
            "P2-row-wal", "write-ahead log of the same", "bytes", "row", "former row", null),
        new Measure(
            "P2-row-size", "table and indexes of the same", "bytes", "row", "former row", null));
  }

  @Override
  public int rounds() {
    return bench.scale().rounds();
  }

  @Override
  public void prepare() throws InterruptedException {
    bench.close();
    DevServices started = bench.home().servers("rows");
    servers = started;
    var postgres = started.postgres();
    bench.runsOn(postgres);
    rows = ServiceRows.create(postgres, COUPON.value(), Bench.ENDLESS_PIECES, codeKeys);
    try {
      former = FormerRows.create(postgres);
    } catch (SQLException e) {
      throw failed(e);
    }
    measureOnce();
  }

  @Override
  public List<Pair> round() {
    return measureOnce();
  }

  private List<Pair> measureOnce() {
    try {
      var batches = batches(bench.scale().claims() / ROWS_PER_CLAIM_OF_SCALE);
      var before = RowMeter.write(requireNonNull(former), batches);
      var now = RowMeter.write(requireNonNull(rows), batches);
      return List.of(
          new Pair(now.micros(), before.micros()),
          new Pair(now.walBytes(), before.walBytes()),
          new Pair(now.bytes(), before.bytes()));
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private List<List<AcceptedClaim>> batches(int claims) {
    int first = written;
    written += claims;
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return IntStream.range(0, claims / BATCH)
        .mapToObj(batch ->
            IntStream.rangeClosed(1, BATCH)
                .mapToObj(i -> claim(first + batch * BATCH + i, now))
                .toList())
        .toList();
  }

  /** Users have ids of 36 characters, in no order. */
  private AcceptedClaim claim(int slot, Instant now) {
    var uuid = UUID.nameUUIDFromBytes(("user " + slot).getBytes(StandardCharsets.US_ASCII));
    var user = new UserId(uuid.toString());
    return new AcceptedClaim(
        COUPON,
        user,
        new Slot(slot),
        PARTITION,
        EPOCH,
        now,
        codeKeys.identityOf(codeKeys.activeVersion(), COUPON, user));
  }

  private static IllegalStateException failed(SQLException e) {
    return new IllegalStateException("the rows could not be written", e);
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.close();
    }
    if (former != null) {
      former.close();
    }
    if (servers != null) {
      servers.close();
      bench.home().forget("rows");
    }
  }
}
