package io.firstcome.application.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Other systems, which collect the events that they receive. */
final class SimulatedListeners implements EventPublisher {

  private final List<CouponEvent> received = new ArrayList<>();

  /** In reverse, because there is no guaranteed order within a call. */
  @Override
  public void publish(List<CouponEvent> events) {
    received.addAll(events.reversed());
  }

  /** The same in every run, because histories contain it. */
  @Override
  public String toString() {
    return "listeners";
  }

  int count() {
    return received.size();
  }

  /**
   * Requires that each row has events from its issue to its last step, in this order for a consumer
   * that skips events with a revision that is not newer.
   *
   * @param setBack whether the database lost some of the published events, and then published
   *     others
   */
  void requireWholeStories(InMemoryDatabase database, boolean setBack) {
    for (var row : database.allUserCoupons()) {
      var events = eventsOf(row.id());
      assertThat(events).as("I8 first event of %s", row.id()).containsKey(1);
      assertThat(events.get(1)).isInstanceOf(CouponEvent.Issued.class);
      // An erasure raises the revision, without an event; the row can change afterwards.
      int first = row.userId().isPseudonym() ? row.revision() - 1 : row.revision();
      assertThat(IntStream.rangeClosed(first, row.revision()).boxed())
          .as("I8 last event of %s", row.id())
          .anySatisfy(last -> assertThat(events.get(last)).isInstanceOf(last(row)));
    }
    if (!setBack) {
      requireOrder();
    }
  }

  private static Class<? extends CouponEvent> last(UserCoupon row) {
    return switch (row) {
      case UserCoupon.Issued _ -> CouponEvent.Issued.class;
      case UserCoupon.Returned _ -> CouponEvent.Returned.class;
      case UserCoupon.Revoked _ -> CouponEvent.Revoked.class;
      case UserCoupon.Held _, UserCoupon.Used _, UserCoupon.Expired _ ->
          throw new AssertionError("no simulated user coupon is redeemed or expires: " + row);
    };
  }

  /** The events of a user coupon by revision; of each revision, the one published last. */
  private Map<Integer, CouponEvent> eventsOf(UserCouponId id) {
    var events = new HashMap<Integer, CouponEvent>();
    for (var event : received) {
      if (event instanceof CouponEvent.OfUserCoupon one
          && one.subject().userCouponId().equals(id)) {
        events.put(one.subject().revision(), event);
      }
    }
    return events;
  }

  /** Requires that no event is first received after one of a later revision. */
  private void requireOrder() {
    var newest = new HashMap<UserCouponId, Integer>();
    var seen = new HashSet<String>();
    for (var event : received) {
      if (event instanceof CouponEvent.OfUserCoupon one && seen.add(event.id())) {
        int revision = one.subject().revision();
        assertThat(newest.getOrDefault(one.subject().userCouponId(), 0))
            .as("I8 order of the events of %s", one.subject().userCouponId())
            .isLessThan(revision);
        newest.put(one.subject().userCouponId(), revision);
      }
    }
  }
}
