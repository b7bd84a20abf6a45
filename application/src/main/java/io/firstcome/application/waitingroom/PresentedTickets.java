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
import java.util.BitSet;
import java.util.Collection;
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
  private final ConcurrentMap<CouponId, Restored> restored;

  /** The numbers of tickets that a room has in an epoch. Thread-safe. */
  private static final class Restored {

    private final Epoch epoch;
    private final BitSet tickets = new BitSet();

    Restored(Epoch epoch) {
      this.epoch = epoch;
    }

    synchronized boolean contains(Epoch ofRoom, int ticket) {
      return epoch.equals(ofRoom) && tickets.get(ticket);
    }

    synchronized void add(Collection<Integer> numbers) {
      numbers.forEach(tickets::set);
    }
  }

  public PresentedTickets(BoundedMaps maps) {
    this.presented = maps.create(MAX_ROOMS);
    this.restored = maps.create(MAX_ROOMS);
  }

  /**
   * Keeps a ticket until the next call of {@link #restore}.
   *
   * @param epoch of the room, which is later than that of the ticket
   */
  void add(CouponId couponId, Epoch epoch, UserId user, Ticket ticket) {
    var known = restored.get(couponId);
    if (known != null && known.contains(epoch, ticket.number())) {
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
          restored
              .compute(
                  coupon.couponId(),
                  (_, known) ->
                      known == null || !known.epoch.equals(coupon.epoch())
                          ? new Restored(coupon.epoch())
                          : known)
              .add(page.stream().map(Map.Entry::getValue).toList());
        });
  }
}
