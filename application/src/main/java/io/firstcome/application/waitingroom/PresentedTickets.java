package io.firstcome.application.waitingroom;

import static java.util.stream.Collectors.toMap;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.BoundedMaps;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.waitingroom.Ticket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Tickets of earlier epochs that users present to rooms that claim. A room that has lost its data
 * does not know these users, so they are given their tickets back before their places are served.
 * Thread-safe.
 */
public final class PresentedTickets {

  private static final int MAX_ROOMS = 1_000;

  /** A user whose ticket is not kept presents it again with the next reading of the standing. */
  private static final int MAX_TICKETS = 100_000;

  private final ConcurrentMap<CouponId, ConcurrentMap<UserId, Integer>> presented;
  private final ConcurrentMap<Restored, Boolean> restored;

  /** A ticket that the room has in that epoch. */
  private record Restored(CouponId couponId, Epoch epoch, int ticket) {}

  public PresentedTickets(BoundedMaps maps) {
    this.presented = maps.create(MAX_ROOMS);
    this.restored = maps.create(MAX_TICKETS);
  }

  /**
   * Keeps a ticket until the next call of {@link #restore}.
   *
   * @param epoch of the room, which is later than that of the ticket
   */
  void add(CouponId couponId, Epoch epoch, UserId user, Ticket ticket) {
    if (restored.containsKey(new Restored(couponId, epoch, ticket.number()))) {
      return;
    }
    var ofRoom = presented.computeIfAbsent(couponId, absent -> new ConcurrentHashMap<>());
    if (ofRoom.size() < MAX_TICKETS) {
      ofRoom.put(user, ticket.number());
    }
  }

  /**
   * Gives the users their tickets back.
   *
   * @throws io.firstcome.domain.port.StockUnavailableException if the stock did not confirm a call
   */
  void restore(WaitingRooms rooms, StockAddress coupon) {
    var tickets = presented.remove(coupon.couponId());
    if (tickets == null) {
      return;
    }
    Pages.of(List.copyOf(tickets.entrySet()), rooms.maxTurnsPerCall())
        .forEach(page -> {
          rooms.restore(
              coupon, page.stream().collect(toMap(Map.Entry::getKey, Map.Entry::getValue)));
          page.forEach(entry ->
              restored.put(
                  new Restored(coupon.couponId(), coupon.epoch(), entry.getValue()), true));
        });
  }
}
