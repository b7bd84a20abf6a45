package io.firstcome.adapter.persistence.instance;

import static io.firstcome.adapter.persistence.generated.Tables.INSTANCE_REPORT;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.excluded;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.instance.InstanceReport;
import io.firstcome.domain.instance.RecoveryStatus;
import io.firstcome.domain.instance.SeenInstance;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.InstanceReports;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** {@link InstanceReports} in PostgreSQL. */
public final class JooqInstanceReports implements InstanceReports {

  private static final Field<Instant> NOW = field("now()", SQLDataType.INSTANT);
  private static final Field<Long> AGE_MILLIS =
      field(
          "cast(1000 * extract(epoch FROM now() - {0}) AS bigint)",
          SQLDataType.BIGINT, INSTANCE_REPORT.REPORTED_AT);

  private final Database database;

  public JooqInstanceReports(Database database) {
    this.database = database;
  }

  @Override
  public void store(InstanceReport report) {
    database.statement(dsl ->
        dsl.insertInto(INSTANCE_REPORT)
            .set(INSTANCE_REPORT.INSTANCE, report.instance())
            .set(INSTANCE_REPORT.VERSION, report.version())
            .set(INSTANCE_REPORT.STARTED_AT, report.startedAt())
            .set(INSTANCE_REPORT.REPORTED_AT, NOW)
            .set(
                INSTANCE_REPORT.CLOSED_PARTITIONS,
                report.closedPartitions().toArray(Integer[]::new))
            .set(INSTANCE_REPORT.RECOVERIES, texts(report.recoveries()))
            .set(INSTANCE_REPORT.RECOVERY_PERCENTS, percents(report.recoveries()))
            .set(
                INSTANCE_REPORT.CLAIM_LATENCIES,
                report.claimLatencies().counts().toArray(Long[]::new))
            .onConflict(INSTANCE_REPORT.INSTANCE)
            .doUpdate()
            .set(INSTANCE_REPORT.VERSION, excluded(INSTANCE_REPORT.VERSION))
            .set(INSTANCE_REPORT.STARTED_AT, excluded(INSTANCE_REPORT.STARTED_AT))
            .set(INSTANCE_REPORT.REPORTED_AT, excluded(INSTANCE_REPORT.REPORTED_AT))
            .set(INSTANCE_REPORT.CLOSED_PARTITIONS, excluded(INSTANCE_REPORT.CLOSED_PARTITIONS))
            .set(INSTANCE_REPORT.RECOVERIES, excluded(INSTANCE_REPORT.RECOVERIES))
            .set(INSTANCE_REPORT.RECOVERY_PERCENTS, excluded(INSTANCE_REPORT.RECOVERY_PERCENTS))
            .set(INSTANCE_REPORT.CLAIM_LATENCIES, excluded(INSTANCE_REPORT.CLAIM_LATENCIES))
            .execute());
  }

  @Override
  public List<SeenInstance> latest(Duration age, int max) {
    return database.read(dsl ->
        dsl
            .select(INSTANCE_REPORT.fields())
            .select(AGE_MILLIS)
            .from(INSTANCE_REPORT)
            .where(isOlder(age).not())
            .orderBy(INSTANCE_REPORT.REPORTED_AT.desc())
            .limit(max)
            .fetch()
            .stream()
            .map(JooqInstanceReports::seen)
            .sorted(Comparator.comparing(seen -> seen.report().instance()))
            .toList());
  }

  @Override
  public void forget(Duration age) {
    database.statement(dsl -> dsl.deleteFrom(INSTANCE_REPORT).where(isOlder(age)).execute());
  }

  private static Condition isOlder(Duration age) {
    return condition(
        "{0} < now() - {1} * interval '1 millisecond'",
        INSTANCE_REPORT.REPORTED_AT, val(age.toMillis()));
  }

  private static String[] texts(List<RecoveryStatus> recoveries) {
    return recoveries.stream().map(RecoveryStatus::text).toArray(String[]::new);
  }

  private static @Nullable Integer[] percents(List<RecoveryStatus> recoveries) {
    return recoveries.stream().map(RecoveryStatus::percent).toArray(Integer[]::new);
  }

  private static List<RecoveryStatus> recoveries(String[] texts, @Nullable Integer[] percents) {
    return IntStream.range(0, texts.length)
        .mapToObj(i -> new RecoveryStatus(texts[i], percents[i]))
        .toList();
  }

  private static SeenInstance seen(Record row) {
    return new SeenInstance(
        new InstanceReport(
            row.get(INSTANCE_REPORT.INSTANCE),
            row.get(INSTANCE_REPORT.VERSION),
            row.get(INSTANCE_REPORT.STARTED_AT),
            List.of(row.get(INSTANCE_REPORT.CLOSED_PARTITIONS)),
            recoveries(
                row.get(INSTANCE_REPORT.RECOVERIES), row.get(INSTANCE_REPORT.RECOVERY_PERCENTS)),
            new LatencyHistogram(List.of(row.get(INSTANCE_REPORT.CLAIM_LATENCIES)))),
        Duration.ofMillis(Math.max(0, row.get(AGE_MILLIS))));
  }
}
