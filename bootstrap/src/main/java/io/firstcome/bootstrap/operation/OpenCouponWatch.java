package io.firstcome.bootstrap.operation;

import io.firstcome.application.coupon.ReadOpenCoupons;
import io.firstcome.application.coupon.ReadOpenCoupons.OpenCoupon;
import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.observation.IssuanceObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Publishes how much is left of the coupons that can be claimed, and how far their waiting rooms
 * are. Of many coupons only those that have opened last have series, since series are what a
 * monitoring system has to pay for.
 */
@Component
class OpenCouponWatch extends WorkInLoops {

  private static final Duration EVERY = Duration.ofSeconds(2);

  /** Each costs a call to Redis, or three queries if its stock is in the database. */
  private static final int MOST_COUPONS = 50;

  private static final double MILLIS_PER_SECOND = 1_000;

  private static final List<Metric> METRICS =
      List.of(
          Metric.COUPON_QUANTITY,
          Metric.COUPON_REMAINING,
          Metric.COUPON_OPEN_TIME,
          Metric.ROOM_JOINED,
          Metric.ROOM_SERVING);

  private final ReadOpenCoupons readOpenCoupons;
  private final @Nullable ReadRoom readRoom;
  private final Map<Metric, MultiGauge> gauges = new EnumMap<>(Metric.class);

  OpenCouponWatch(
      ReadOpenCoupons readOpenCoupons,
      ObjectProvider<ReadRoom> readRoom,
      MeterRegistry registry,
      IssuanceObserver observer) {
    super(observer);
    this.readOpenCoupons = readOpenCoupons;
    this.readRoom = readRoom.getIfAvailable();
    METRICS.forEach(metric -> gauges.put(metric, metric.gauges(registry)));
  }

  @Override
  protected List<Loop> loops() {
    return List.of(loop("measuring open coupons", this::measure));
  }

  /** The rows of all metrics. */
  private static final class Rows {

    private final Map<Metric, List<MultiGauge.Row<?>>> rows = new EnumMap<>(Metric.class);

    void add(Metric metric, double value, Coupon coupon) {
      rows.computeIfAbsent(metric, absent -> new ArrayList<>())
          .add(metric.row(value, coupon.id().value()));
    }

    List<MultiGauge.Row<?>> of(Metric metric) {
      return rows.getOrDefault(metric, List.of());
    }
  }

  private Duration measure() {
    var rows = new Rows();
    try {
      readOpenCoupons.latest(MOST_COUPONS).forEach(open -> add(open, rows));
    } finally {
      gauges.forEach((metric, gauge) -> gauge.register(rows.of(metric), true));
    }
    return EVERY;
  }

  private void add(OpenCoupon open, Rows rows) {
    var coupon = open.coupon();
    rows.add(Metric.COUPON_QUANTITY, coupon.definition().totalQuantity(), coupon);
    rows.add(Metric.COUPON_OPEN_TIME, open.openFor().toMillis() / MILLIS_PER_SECOND, coupon);
    open.remaining().ifPresent(remaining -> rows.add(Metric.COUPON_REMAINING, remaining, coupon));
    if (readRoom != null) {
      readRoom
          .read(coupon.id())
          .map(ReadRoom.View::reading)
          .ifPresent(reading -> {
            rows.add(Metric.ROOM_JOINED, reading.state().lastTicket(), coupon);
            rows.add(Metric.ROOM_SERVING, reading.state().lastTurn(), coupon);
          });
    }
  }
}
