package io.firstcome.application;

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

/** Other systems, which hear of events, and remember what they heard. */
final class SimulatedListeners implements EventPublisher {

  private final List<CouponEvent> heard = new ArrayList<>();

  /** The last one first, as nothing is promised within a call. */
  @Override
  public void publish(List<CouponEvent> events) {
    heard.addAll(events.reversed());
  }

  /** The same in every run, as histories hold it. */
  @Override
  public String toString() {
    return "listeners";
  }

  int count() {
    return heard.size();
  }

  /**
   * Every row was told of from its issue to its last step, and in this order by whoever passes over
   * what is not newer than what it has heard.
   *
   * @param setBack whether the database forgot some of what had been told, and told others then
   */
  void requireWholeStories(InMemoryDatabase database, boolean setBack) {
    for (var row : database.allUserCoupons()) {
      var story = story(row.id());
      assertThat(story).as("I8 first event of %s", row.id()).containsKey(1);
      assertThat(story.get(1)).isInstanceOf(CouponEvent.Issued.class);
      assertThat(story.get(row.revision()))
          .as("I8 last event of %s", row.id())
          .isInstanceOf(last(row));
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
          throw new AssertionError("nobody uses coupons here: " + row);
    };
  }

  /** The events by revision, the last one that was told of each. */
  private Map<Integer, CouponEvent> story(UserCouponId id) {
    var story = new HashMap<Integer, CouponEvent>();
    for (var event : heard) {
      if (event instanceof CouponEvent.OfUserCoupon one
          && one.subject().userCouponId().equals(id)) {
        story.put(one.subject().revision(), event);
      }
    }
    return story;
  }

  /** No event is heard for the first time after one of a later revision. */
  private void requireOrder() {
    var newest = new HashMap<UserCouponId, Integer>();
    var seen = new HashSet<String>();
    for (var event : heard) {
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
