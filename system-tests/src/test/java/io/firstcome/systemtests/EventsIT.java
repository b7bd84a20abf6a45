package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.EventListener;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Consumers get the events of a coupon and of its user coupons. */
@ExtendWith(QuietLogs.class)
class EventsIT {

  private static final Duration SOON = Duration.ofSeconds(20);

  private final World world = World.get();

  private String claimed(String coupon, String user) {
    var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isIn(200, 201);
    return claim.text("userCouponId");
  }

  private boolean isAccepted(String coupon, String user) {
    return world.send(Call.claim(coupon).as(user)).status() == 202;
  }

  private void assertStatus(int status, Call call) {
    var answer = world.send(call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
  }

  @Test
  void a_listener_receives_all_events_of_each_coupon() {
    var coupon = world.define(aCoupon().withTotal(2).with("returnsToStock", "true"));
    try (var listener = EventListener.to(world.amqp(), "it." + coupon, "*.*." + coupon)) {
      var anns = claimed(coupon, "ann");
      var bobs = claimed(coupon, "bob");
      assertStatus(201, Redemptions.hold(anns, "order-1", 2_000));
      assertStatus(200, Redemptions.confirm(anns, "order-1"));
      assertStatus(204, Redemptions.undo(anns, "order-1"));
      assertStatus(201, Redemptions.use(anns, "order-2", 2_000));
      assertStatus(204, Call.of("DELETE", "/api/v1/me/coupons/" + bobs).as("bob"));
      Await.until(SOON, "the returned slot is allocated again", () -> isAccepted(coupon, "carol"));
      var carols = claimed(coupon, "carol");
      assertStatus(
          200,
          Call.of("POST", "/api/v1/admin/user-coupons/" + carols + "/revocation")
              .operator()
              .json("{\"reason\":\"fraud\"}"));

      Await.until(SOON, () -> listener.story().toString(), () -> listener.story().size() == 12);
      assertThat(listener.storyOf(anns))
          .containsExactly("issued", "held", "used", "restored", "used");
      assertThat(listener.storyOf(bobs)).containsExactly("issued", "returned");
      assertThat(listener.storyOf(carols)).containsExactly("issued", "revoked");
      assertThat(listener.storyOf(coupon))
          .containsExactlyInAnyOrder("sold-out", "returned-to-sale", "returned-to-sale");
    }
  }
}
