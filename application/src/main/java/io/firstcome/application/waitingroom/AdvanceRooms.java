package io.firstcome.application.waitingroom;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.paging.Pages;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
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

  private final CouponCatalog catalog;
  private final WaitingRooms rooms;
  private final KnownEpochs epochs;
  private final RoomReadings readings;
  private final RoomLimits limits;
  private final ProcessClock clock;

  /** The rooms that are to be read. */
  private volatile List<Coupon> coupons = List.of();

  /** Those of them that must be opened first. */
  private final Set<CouponId> closed = ConcurrentHashMap.newKeySet();

  public AdvanceRooms(
      CouponCatalog catalog,
      WaitingRooms rooms,
      KnownEpochs epochs,
      RoomReadings readings,
      RoomLimits limits,
      ProcessClock clock) {
    this.catalog = catalog;
    this.rooms = rooms;
    this.epochs = epochs;
    this.readings = readings;
    this.limits = limits;
    this.clock = clock;
  }

  /** Replaces the rooms that are read. */
  void read(List<Coupon> newCoupons) {
    coupons = List.copyOf(newCoupons);
    var ids = newCoupons.stream().map(Coupon::id).toList();
    readings.retain(ids);
    closed.retainAll(ids);
  }

  /** The rooms of a partition, with the latest terms that this instance knows. */
  List<Coupon> of(Partition partition) {
    return coupons.stream()
        .filter(coupon -> coupon.partition().equals(partition))
        .map(catalog::latest)
        .filter(coupon -> coupon.definition().waitingRoom() != null)
        .toList();
  }

  /** Whether the room was not open at its latest reading, although the stock was ready. */
  boolean isClosed(CouponId couponId) {
    return closed.contains(couponId);
  }

  /**
   * Reads each room of a partition once.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock did not confirm a call
   */
  public void round(Partition partition) {
    Pages.of(of(partition), ROOMS_A_CALL).forEach(together -> round(partition, together));
  }

  private void round(Partition partition, List<Coupon> together) {
    long asked = clock.nanos();
    var found = advance(partition, together);
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

  private WaitingRooms.Readings advance(Partition partition, List<Coupon> together) {
    var terms = together.stream().collect(toMap(Coupon::id, AdvanceRooms::terms));
    try {
      return rooms.advance(partition, epochs.of(partition), terms, limits.callTime());
    } catch (StockUnavailableException e) {
      // Others may have opened them meanwhile.
      closed.removeAll(terms.keySet());
      throw e;
    }
  }

  static RoomTerms terms(Coupon coupon) {
    return new RoomTerms(coupon.revision(), requireNonNull(coupon.definition().waitingRoom()));
  }
}
