package io.firstcome.application.waitingroom;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.firstcome.application.paging.Pages;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.waitingroom.RoomTerms;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the waiting rooms of coupons, and so advances them. Any number of instances may do this at
 * the same time. It needs only the stock, so a database that is slow or away stops no room whose
 * reserves are not used up.
 */
public final class AdvanceRooms {

  /** Rooms that are read in one call, of a millisecond or so. */
  private static final int ROOMS_A_CALL = 100;

  private final WaitingRooms rooms;
  private final KnownEpochs epochs;
  private final RoomReadings readings;
  private final RoomLimits limits;
  private final ProcessClock clock;
  private final IssuanceObserver observer;

  /** The rooms that are to be read. */
  private volatile List<Coupon> coupons = List.of();

  /** Those of them that must be opened first. */
  private final Set<CouponId> closed = ConcurrentHashMap.newKeySet();

  public AdvanceRooms(
      WaitingRooms rooms,
      KnownEpochs epochs,
      RoomReadings readings,
      RoomLimits limits,
      ProcessClock clock,
      IssuanceObserver observer) {
    this.rooms = rooms;
    this.epochs = epochs;
    this.readings = readings;
    this.limits = limits;
    this.clock = clock;
    this.observer = observer;
  }

  /** Replaces the rooms that are read. */
  void read(List<Coupon> newCoupons) {
    coupons = List.copyOf(newCoupons);
    var ids = newCoupons.stream().map(Coupon::id).toList();
    readings.retain(ids);
    closed.retainAll(ids);
  }

  List<Coupon> coupons() {
    return coupons;
  }

  /** Whether the room was not open at its latest reading, although the stock was ready. */
  boolean isClosed(CouponId couponId) {
    return closed.contains(couponId);
  }

  /**
   * Reads each room once. A partition that is not open does not delay the others.
   *
   * @return how many rooms there are
   */
  public int round() {
    var now = coupons;
    now.stream().collect(groupingBy(Coupon::partition)).forEach(this::roundInPartition);
    return now.size();
  }

  private void roundInPartition(Partition partition, List<Coupon> ofPartition) {
    try {
      Pages.of(ofPartition, ROOMS_A_CALL).forEach(together -> round(partition, together));
    } catch (StockUnavailableException e) {
      observer.observe(new OperationObservation.RoundFailed("reading waiting rooms", e));
    }
  }

  private void round(Partition partition, List<Coupon> together) {
    long asked = clock.nanos();
    var found =
        rooms.advance(
            partition,
            epochs.of(partition),
            together.stream().collect(toMap(Coupon::id, AdvanceRooms::terms)),
            limits.callTime());
    for (var coupon : together) {
      var reading = found.open().get(coupon.id());
      if (reading == null) {
        readings.remove(coupon.id());
      } else {
        readings.put(coupon.id(), reading, asked);
      }
      if (found.closed().contains(coupon.id())) {
        closed.add(coupon.id());
      } else {
        closed.remove(coupon.id());
      }
    }
  }

  static RoomTerms terms(Coupon coupon) {
    return new RoomTerms(coupon.revision(), requireNonNull(coupon.definition().waitingRoom()));
  }
}
