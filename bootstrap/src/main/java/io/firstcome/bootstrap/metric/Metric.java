package io.firstcome.bootstrap.metric;

import io.firstcome.domain.latency.LatencyHistogram;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Each metric of this service, with the text of its row in {@code docs/metrics.md}. Those of Spring
 * Boot, Tomcat, the JVM and the connection pools are not listed.
 *
 * <p>No label has a user, a code, or a value that a customer can choose.
 */
public enum Metric {
  CLAIMS(Type.COUNTER, "firstcome.claims", "Claims that were answered over HTTP", "outcome"),
  CLAIM_LATENCY(
      Type.HISTOGRAM,
      "firstcome.claim.latency",
      "Time until a claim was answered over HTTP, without the time of Prefer: wait"),
  CLAIM_BATCH_SIZE(Type.SUMMARY, "firstcome.claim.batch.size", "Claims in one call to the stock"),
  CLAIM_CALL(Type.TIMER, "firstcome.claim.call", "Time of one call to the stock with claims"),
  CLAIM_CALLS_FAILED(
      Type.COUNTER, "firstcome.claim.calls.failed", "Calls with claims without an answer"),
  CODE_KEYS_MISSING(
      Type.COUNTER,
      "firstcome.code.keys.missing",
      "Work that was left to other instances, as this one does not have the coupon's code key"),

  COUPON_QUANTITY(
      Type.GAUGE,
      "firstcome.coupon.quantity",
      "Slots of a coupon that is open; these gauges are of the 50 that have opened last",
      "coupon"),
  COUPON_REMAINING(
      Type.GAUGE, "firstcome.coupon.remaining", "Slots of it that can be claimed", "coupon"),
  COUPON_OPEN_TIME(
      Type.GAUGE_SECONDS, "firstcome.coupon.open.time", "Time since it opened", "coupon"),

  HANDOFF_DEPTH(
      Type.GAUGE,
      "firstcome.handoff.depth",
      "Entries of the hand-off log: batches of claims that are accepted and not recorded yet",
      "partition"),
  HANDOFF_CAP(
      Type.GAUGE,
      "firstcome.handoff.cap",
      "Entries of the hand-off log of a partition at which its claims are refused"),
  HANDOFF_OLDEST_AGE(
      Type.GAUGE_SECONDS,
      "firstcome.handoff.oldest.age",
      "How long the oldest entry of the hand-off log has been waiting, by the stock's clock",
      "partition"),
  HANDOFF_PUBLISHED(
      Type.COUNTER,
      "firstcome.handoff.published",
      "Entries of the hand-off log that were published; again: not for the first time",
      "again"),
  HANDOFF_UNREADABLE(
      Type.COUNTER,
      "firstcome.handoff.unreadable",
      "Readings of an entry that only another release can read"),

  RECORDED(Type.COUNTER, "firstcome.recorded", "Claims whose row this instance has written"),
  RECORD_LATENCY(
      Type.HISTOGRAM,
      "firstcome.record.latency",
      "Time from the acceptance of a batch of claims until all of it was stored in the database"),
  RECORD_CONFLICTS(
      Type.COUNTER, "firstcome.record.conflicts", "Claims that did not become a new row", "kind"),
  ACCEPTED_AT_IMPLAUSIBLE_TIME(
      Type.COUNTER,
      "firstcome.accepted.at.implausible.time",
      "Claims whose time of acceptance was impossible by the database's clock"),
  COUPONS_LOCKED(
      Type.COUNTER,
      "firstcome.coupons.locked",
      "Batches of claims that met a lock of another session in the database"),
  SET_ASIDE(Type.COUNTER, "firstcome.set.aside", "Claims that became a dead letter"),
  MESSAGES_SET_ASIDE(
      Type.COUNTER, "firstcome.messages.set.aside", "Messages that became a dead letter"),
  DEAD_LETTERS(Type.GAUGE, "firstcome.dead.letters", "Stored dead letters, at most 1,000"),
  DEAD_LETTERS_REPLAYED(
      Type.COUNTER, "firstcome.dead.letters.replayed", "Retries of dead letters", "recorded"),
  LATE_CLAIMS(Type.COUNTER, "firstcome.late.claims", "Late claims that were settled", "end"),

  EVENTS_PUBLISHED(Type.COUNTER, "firstcome.events.published", "Events that were published"),
  WEBHOOK_ATTEMPTS(
      Type.COUNTER,
      "firstcome.webhook.attempts",
      "Attempts to deliver events to a webhook; result: delivered, failed, given-up",
      "result"),
  WEBHOOKS_DISABLED(
      Type.COUNTER,
      "firstcome.webhooks.disabled",
      "Webhooks that were disabled by this instance, as their receiver accepts no events"),
  OUTBOX_OLDEST_AGE(
      Type.GAUGE_SECONDS,
      "firstcome.outbox.oldest.age",
      "How long ago the oldest event happened that is not published, by the database's clock"),

  PARTITION_OPEN(
      Type.GAUGE,
      "firstcome.partition.open",
      "1 if the partition accepted claims of this instance when it was checked last, or else 0",
      "partition"),
  RECOVERY_STEPS(
      Type.COUNTER, "firstcome.recovery.steps", "Steps of recoveries of partitions", "step"),
  RECOVERY_STOPPED(
      Type.COUNTER,
      "firstcome.recovery.stopped",
      "Attempts to recover a partition that must not be recovered automatically"),
  RECOVERY_COUPON(
      Type.TIMER, "firstcome.recovery.coupon", "Time to rebuild the stock of one coupon"),
  RECOVERY_ROWS(Type.COUNTER, "firstcome.recovery.rows", "Rows that were read by rebuilds"),
  RECOVERY_UNRECORDED(
      Type.COUNTER,
      "firstcome.recovery.unrecorded",
      "Claims without a row that rebuilds have found in the hand-off log"),
  RECOVERY_COUPONS_FAILED(
      Type.COUNTER, "firstcome.recovery.coupons.failed", "Coupons whose rebuild has failed"),

  COMPARISON(
      Type.TIMER,
      "firstcome.comparison",
      "Time to compare stock, hand-off log and database of one coupon"),
  DISCREPANCIES(
      Type.COUNTER,
      "firstcome.discrepancies",
      "Differences between stock, hand-off log and database that comparisons have found",
      "kind"),
  REVISIONS_RAISED(
      Type.COUNTER,
      "firstcome.revisions.raised",
      "Coupons whose stock had changes that the database has lost"),
  COUPONS_UNREADABLE(
      Type.COUNTER,
      "firstcome.coupons.unreadable",
      "Readings of a coupon whose row has an invalid value"),

  ROOM_JOIN_BATCH_SIZE(
      Type.SUMMARY,
      "firstcome.room.join.batch.size",
      "Users in one call that joins a waiting room"),
  ROOM_JOIN_CALL(
      Type.TIMER, "firstcome.room.join.call", "Time of one call that joins a waiting room"),
  ROOM_JOIN_CALLS_FAILED(
      Type.COUNTER, "firstcome.room.join.calls.failed", "Calls with joins without an answer"),
  ROOM_JOINED(
      Type.GAUGE, "firstcome.room.joined", "Last ticket of the waiting room of a coupon", "coupon"),
  ROOM_SERVING(
      Type.GAUGE,
      "firstcome.room.serving",
      "Last place of the waiting room of a coupon whose turn has come",
      "coupon"),
  ROOM_STREAMS(Type.GAUGE, "firstcome.room.streams", "Open streams of users who wait in a room"),

  REQUESTS_REFUSED(
      Type.COUNTER,
      "firstcome.requests.refused",
      "Requests beyond a limit: limit is rate or concurrency, of its name or the kind of request",
      "limit",
      "of"),
  REQUESTS_CONCURRENT_LIMIT(
      Type.GAUGE,
      "firstcome.requests.concurrent.limit",
      "Requests of the kind that are handled at a time at most",
      "kind"),

  ROUNDS_FAILED(
      Type.COUNTER,
      "firstcome.rounds.failed",
      "Rounds of background work that failed and are retried",
      "round"),
  SCRIPTS_LOADED(
      Type.COUNTER,
      "firstcome.scripts.loaded",
      "How often the scripts were missing in Redis and were loaded"),
  SERVER_WEAKNESSES(
      Type.GAUGE,
      "firstcome.server.weaknesses",
      "Settings and states of servers that weaken a promise, see /actuator/health/servers"),
  CLOCK_AHEAD(
      Type.GAUGE_SECONDS,
      "firstcome.clock.ahead",
      "How far a clock is ahead of the database's; negative if it is behind",
      "clock"),
  RETENTION_REMOVED(
      Type.COUNTER, "firstcome.retention.removed", "Rows that were removed after their retention"),

  TRACE_SPANS_EXPORTED(
      Type.COUNTER,
      "firstcome.trace.spans.exported",
      "Spans of sampled claims that the collector of traces has accepted"),
  TRACE_SPANS_MISSING(
      Type.COUNTER,
      "firstcome.trace.spans.missing",
      "Spans of sampled claims that are in no trace, such as while the collector is away");

  enum Type {
    COUNTER,
    GAUGE,
    GAUGE_SECONDS,
    /** Count, sum and maximum of durations. */
    TIMER,
    /**
     * A timer with the buckets of {@link LatencyHistogram}, from which percentiles over all
     * instances can be computed.
     */
    HISTOGRAM,
    /** Count, sum and maximum of numbers. */
    SUMMARY
  }

  private static final Duration[] BUCKETS = LatencyHistogram.BOUNDS.toArray(Duration[]::new);

  final Type type;
  final String meter;
  final String description;

  @SuppressWarnings("ImmutableEnumChecker") // Of List.of.
  final List<String> labels;

  Metric(Type type, String meter, String description, String... labels) {
    this.type = type;
    this.meter = meter;
    this.description = description;
    this.labels = List.of(labels);
  }

  /** Registers all counters without labels, so that a series exists before the first event. */
  static void registerCounters(MeterRegistry registry) {
    for (var metric : values()) {
      if (metric.type == Type.COUNTER && metric.labels.isEmpty()) {
        metric.counter(registry);
      }
    }
  }

  /** The counter with these values of the labels, registered if it is not. */
  public Counter counter(MeterRegistry registry, String... values) {
    require(Type.COUNTER);
    return Counter.builder(meter).description(description).tags(tags(values)).register(registry);
  }

  /** The timer with these values of the labels, registered if it is not. */
  public Timer timer(MeterRegistry registry, String... values) {
    var timer = Timer.builder(meter).description(description).tags(tags(values));
    if (type == Type.HISTOGRAM) {
      timer.serviceLevelObjectives(BUCKETS);
    } else {
      require(Type.TIMER);
    }
    return timer.register(registry);
  }

  /** The summary with these values of the labels, registered if it is not. */
  public DistributionSummary summary(MeterRegistry registry, String... values) {
    require(Type.SUMMARY);
    return DistributionSummary.builder(meter)
        .description(description)
        .tags(tags(values))
        .register(registry);
  }

  /**
   * Registers a gauge.
   *
   * @param of what is measured, to which the gauge keeps a weak reference
   */
  public <T> void gauge(MeterRegistry registry, T of, ToDoubleFunction<T> value, String... values) {
    requireGauge();
    Gauge.builder(meter, of, value)
        .description(description)
        .baseUnit(unit())
        .tags(tags(values))
        .register(registry);
  }

  /** Registers a gauge with any number of rows, see {@link #row}. */
  public MultiGauge gauges(MeterRegistry registry) {
    requireGauge();
    return MultiGauge.builder(meter).description(description).baseUnit(unit()).register(registry);
  }

  /** A row of {@link #gauges} with these values of the labels. */
  public MultiGauge.Row<Number> row(double value, String... values) {
    requireGauge();
    return MultiGauge.Row.of(tags(values), value);
  }

  /** The current values of a gauge, of all values of its labels. */
  public List<Double> currentValues(MeterRegistry registry) {
    requireGauge();
    return registry.find(meter).gauges().stream().map(Gauge::value).toList();
  }

  private @Nullable String unit() {
    return type == Type.GAUGE_SECONDS ? "seconds" : null;
  }

  private void requireGauge() {
    if (type != Type.GAUGE_SECONDS) {
      require(Type.GAUGE);
    }
  }

  private void require(Type wanted) {
    if (type != wanted) {
      throw new IllegalStateException("%s is a %s".formatted(this, type));
    }
  }

  private Tags tags(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException("%s has the labels %s".formatted(this, labels));
    }
    var tags = Tags.empty();
    for (int i = 0; i < values.length; i++) {
      tags = tags.and(labels.get(i), values[i]);
    }
    return tags;
  }
}
