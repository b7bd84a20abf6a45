package io.firstcome.application.waitingroom;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.port.BoundedMaps;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.waitingroom.Draw;
import io.firstcome.domain.waitingroom.DrawSeed;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomRecord;
import io.firstcome.domain.waitingroom.RoomState;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The draws of waiting rooms, which each instance computes from the coupon's code key. */
public final class Draws {

  /** Less than a kilobyte each. */
  private static final int MAX_DRAWS = 1_000;

  private final RoomRecords records;
  private final CodeKeys codeKeys;
  private final ConcurrentMap<CouponId, Draw> prepared;

  /** Among how many tickets each order was drawn, for the time without a reading. */
  private final ConcurrentMap<CouponId, Integer> drawn;

  public Draws(RoomRecords records, CodeKeys codeKeys, BoundedMaps maps) {
    this.records = records;
    this.codeKeys = codeKeys;
    this.prepared = maps.create(MAX_DRAWS);
    this.drawn = maps.create(MAX_DRAWS);
  }

  /**
   * Among how many tickets the order was drawn; null before the draw, and while that is not known.
   *
   * @param reading null if there is none: then the database is asked, until it knows
   */
  @Nullable Integer drawn(Coupon coupon, @Nullable RoomReading reading) {
    var known = drawn.get(coupon.id());
    if (reading == null && known != null) {
      return known;
    }
    var tickets = reading == null ? inDatabase(coupon.id()) : reading.state().drawn();
    if (tickets != null) {
      drawn.put(coupon.id(), tickets);
    }
    return tickets;
  }

  private @Nullable Integer inDatabase(CouponId couponId) {
    try {
      return records.find(couponId).map(RoomRecord::drawn).orElse(null);
    } catch (DatabaseUnavailableException e) {
      return null;
    }
  }

  /**
   * The seed of the coupon's draw.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  DrawSeed seed(Coupon coupon) {
    return DrawSeed.of(coupon, codeKeys);
  }

  /**
   * The place of a ticket; null before the draw.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  @Nullable Integer placeOf(int ticket, Coupon coupon, RoomState state) {
    var tickets = state.drawn();
    if (tickets == null) {
      return state.terms().room().order() == WaitingRoom.Order.ARRIVAL ? ticket : null;
    }
    return ticket > tickets ? ticket : prepared(coupon, tickets).placeOf(ticket);
  }

  /**
   * The ticket at a place of a room that has served it: inverse of {@link #placeOf}.
   *
   * @throws io.firstcome.domain.usercoupon.MissingCodeKeyException if the coupon's key is not
   *     installed
   */
  int ticketAt(int place, Coupon coupon, RoomState state) {
    var tickets = state.drawn();
    // Later tickets stand behind those that were drawn.
    return tickets == null || place > tickets ? place : prepared(coupon, tickets).ticketAt(place);
  }

  private Draw prepared(Coupon coupon, int tickets) {
    var draw = prepared.get(coupon.id());
    if (draw == null || draw.tickets() != tickets) {
      draw = new Draw(seed(coupon), tickets);
      prepared.put(coupon.id(), draw);
    }
    return draw;
  }
}
