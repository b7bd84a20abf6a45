package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.EventListener;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Consumers get every event, in order, although the broker and an instance are killed. */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class EventFaultIT {

  private static final int OWNERS = 40;
  private static final int QUANTITY = 2_000;

  private final World world = World.behindProxies();

  @Scenario(
      number = "36",
      fault =
          "RabbitMQ killed (SIGKILL) while two instances publish events of claims and"
              + " redemptions, then one of the instances",
      guards = "event-kept")
  void every_event_is_received_in_order_when_broker_and_publisher_are_killed(Fault fault) {
    try (ServiceProcess second = World.ready(world.start("second-publisher", Map.of()));
        var listener = EventListener.to(world.amqp(), "it.events", "#")) {
      var owners = Users.some(OWNERS);
      var earlier = world.define(aCoupon().withTotal(OWNERS));
      var userCoupons = owners.stream().map(owner -> issued(earlier, owner)).toList();
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      var crowd =
          world.crowd(coupon, Users.some(2 * QUANTITY), world.service(), second).awaitMidBurst(500);

      fault.strike(crowd, world.amqp()::kill);
      for (int i = 0; i < OWNERS; i++) {
        useUndoAndUse(userCoupons.get(i), second);
      }
      fault.mend(world.amqp()::restart);
      Await.until(World.REST_LIMIT, "the first events", () -> listener.userCoupons() > 0);
      second.kill();
      crowd.join();

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
      Await.until(
          World.REST_LIMIT,
          () -> "events of all user coupons: " + listener.userCoupons(),
          () -> listener.userCoupons() >= QUANTITY + OWNERS);
      assertThat(userCoupons)
          .allSatisfy(one ->
              assertThat(listener.storyOf(one))
                  .isEqualTo(List.of("issued", "used", "restored", "used")));
      Await.until(
          World.REST_LIMIT, "the events of the coupon", () -> listener.storyOf(coupon).size() == 3);
      assertThat(listener.storyOf(coupon))
          .containsExactlyInAnyOrder("share-issued", "share-issued", "sold-out");
    }
  }

  private String issued(String coupon, String user) {
    var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  private void useUndoAndUse(String userCoupon, ServiceProcess second) {
    assertStatus(world.service(), 201, Redemptions.use(userCoupon, "order-1", 2_000));
    assertStatus(second, 204, Redemptions.undo(userCoupon, "order-1"));
    assertStatus(second, 201, Redemptions.use(userCoupon, "order-2", 2_000));
  }

  private static void assertStatus(ServiceProcess instance, int status, Call call) {
    var answer = World.send(instance, call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
  }
}
