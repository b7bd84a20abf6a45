package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.curve.ReadCurve;
import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.operation.InstanceWatch;
import io.firstcome.bootstrap.rest.curve.LatencyJson;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.port.ConnectionShares;
import io.firstcome.domain.port.ConnectionShares.Share;
import io.firstcome.domain.port.ServerUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * What the live pages show. All pages of a coupon on this instance share one reading a second, so
 * that many of them cost as much as one.
 */
@Component
class LiveReadings {

  private static final Duration VALID = Duration.ofMillis(900);

  /** Then a page shows that the database or Redis does not reply. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

  /** More than an instance needs to store what it has counted. */
  static final Duration RECENT = Duration.ofSeconds(15);

  /** What the curve of a page begins with. */
  static final Duration BEGIN = Duration.ofMinutes(5);

  private final ReadCoupon readCoupon;
  private final ReadCurve readCurve;
  private final @Nullable ReadRoom readRoom;
  private final InstanceWatch instances;
  private final ConnectionShares shares;
  private final MeterRegistry metrics;
  private final Map<CouponId, Shared> shared = new ConcurrentHashMap<>();

  LiveReadings(
      ReadCoupon readCoupon,
      ReadCurve readCurve,
      ObjectProvider<ReadRoom> readRoom,
      InstanceWatch instances,
      ConnectionShares shares,
      MeterRegistry metrics) {
    this.readCoupon = readCoupon;
    this.readCurve = readCurve;
    this.readRoom = readRoom.getIfAvailable();
    this.instances = instances;
    this.shares = shares;
    this.metrics = metrics;
  }

  /**
   * What happened in one second.
   *
   * @param at its begin, in seconds since 1970
   */
  record Point(
      long at,
      long accepted,
      long alreadyClaimed,
      long soldOut,
      long refused,
      long recovering,
      long overloaded,
      long outcomeUnknown) {

    static Point of(Instant at, AnswerCounts counts) {
      return new Point(
          at.getEpochSecond(),
          counts.accepted(),
          counts.alreadyClaimed(),
          counts.soldOut(),
          counts.refused(),
          counts.recovering(),
          counts.overloaded(),
          counts.outcomeUnknown());
    }
  }

  /**
   * A waiting room.
   *
   * @param joined the last ticket that was given
   * @param serving the last place that is served
   * @param perSecond its rate
   */
  record Room(String phase, long joined, long serving, int perSecond, boolean paused) {

    /** Null if the room has not been read lately. */
    static @Nullable Room ofCurrent(ReadRoom.View view) {
      var reading = view.reading();
      return reading == null
          ? null
          : new Room(
              view.phase().name(),
              reading.state().lastTicket(),
              reading.state().lastTurn(),
              view.room().admissionsPerSecond(),
              view.room().isPaused());
    }
  }

  /**
   * The values of a moment.
   *
   * @param reachable whether the database replies, and Redis in time
   * @param coupon null if there is none any more, or the database does not reply
   * @param points of the last seconds; the latest ones may still grow
   * @param room null if the coupon has none, or it could not be read
   * @param latency of all instances; null if they have answered no claim lately
   * @param logEntries batches of claims that wait for their rows, of all coupons; null if unknown
   * @param oldestSeconds how long the oldest of them has been waiting; null if unknown
   * @param closedPartitions partitions whose claims this instance refuses
   */
  record Reading(
      boolean reachable,
      CouponJson.@Nullable View coupon,
      List<Point> points,
      @Nullable Room room,
      @Nullable LatencyJson latency,
      @Nullable Double logEntries,
      @Nullable Double oldestSeconds,
      long closedPartitions) {}

  /** A reading that has begun. */
  private record Shared(long nanos, CompletableFuture<Reading> reading) {

    boolean isValid() {
      return !reading.isDone() || System.nanoTime() - nanos < VALID.toNanos();
    }
  }

  /**
   * The reading of the coupon, which is at most a second old. While the database does not reply, it
   * is without the values of the coupon.
   */
  Reading read(CouponId couponId) throws InterruptedException {
    var latest =
        shared.compute(
            couponId, (_, known) -> known != null && known.isValid() ? known : begin(couponId));
    try {
      return latest.reading().get(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return of(false, null, List.of(), null);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** On a thread of its own, for which those that show it wait for a bounded time. */
  private Shared begin(CouponId couponId) {
    return new Shared(
        System.nanoTime(),
        CompletableFuture.supplyAsync(() -> readNow(couponId), Thread::startVirtualThread));
  }

  /** Keeps no reading of a coupon that nobody watches. */
  void forget(CouponId couponId) {
    shared.remove(couponId);
  }

  private Reading readNow(CouponId couponId) {
    try (var _ = shares.use(Share.CONSOLE)) {
      var coupon = readCoupon.readAny(couponId).map(CouponJson::view).orElse(null);
      return of(true, coupon, points(couponId, RECENT), room(couponId));
    } catch (ServerUnavailableException e) {
      return of(false, null, List.of(), null);
    }
  }

  private Reading of(
      boolean isReachable,
      CouponJson.@Nullable View coupon,
      List<Point> points,
      @Nullable Room room) {
    return new Reading(
        isReachable,
        coupon,
        points,
        room,
        instances.latency().map(LatencyJson::of).orElse(null),
        known(ofAllPartitions(Metric.HANDOFF_DEPTH).sum()),
        known(ofAllPartitions(Metric.HANDOFF_OLDEST_AGE).max().orElse(Double.NaN)),
        Metric.PARTITION_OPEN.currentValues(metrics).stream().filter(open -> open == 0).count());
  }

  /** The values of a gauge of the hand-off log; NaN alone if it is not known of each partition. */
  private DoubleStream ofAllPartitions(Metric gauge) {
    var values = gauge.currentValues(metrics);
    int partitions = Metric.PARTITION_OPEN.currentValues(metrics).size();
    return values.size() < partitions
        ? DoubleStream.of(Double.NaN)
        : values.stream().mapToDouble(value -> value);
  }

  private @Nullable Room room(CouponId couponId) {
    if (readRoom == null) {
      return null;
    }
    try {
      return readRoom.read(couponId).map(Room::ofCurrent).orElse(null);
    } catch (ServerUnavailableException e) {
      return null;
    }
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : value;
  }

  /** The points of that time until now. */
  List<Point> points(CouponId couponId, Duration length) {
    return readCurve.recentAnswers(couponId, length).entrySet().stream()
        .map(entry -> Point.of(entry.getKey(), entry.getValue()))
        .toList();
  }
}
