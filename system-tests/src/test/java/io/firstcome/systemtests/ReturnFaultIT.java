package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.systemtests.agent.HaltPoint;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.HaltedMethod;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** A user coupon is returned, and the instance that handles the return halts between two steps. */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class ReturnFaultIT {

  private static final int TOTAL = 500;

  private final World world = World.get();

  @Scenario(
      number = "29",
      fault =
          "an instance halts after the commit of a return, another one after releasing the slot;"
              + " all messages of the coupon are delivered two more times",
      guards = "release-catch-up")
  void a_slot_whose_return_was_interrupted_is_issued_again_exactly_once(Fault fault) {
    haltInAReturn(fault, HaltedMethod.RELEASE_SLOT.entered(1));
    haltInAReturn(fault, HaltedMethod.RELEASE_SLOT.returned(1));
  }

  private void haltInAReturn(Fault fault, HaltPoint point) {
    try (var messages = QueuedClaimMessages.tapped(world.amqp());
        var other = HaltedInstance.at(world, point)) {
      var coupon = world.define(aCoupon().withTotal(TOTAL).with("returnsToStock", "true"));
      var owners = Users.some(TOTAL);
      world.crowd(coupon, owners).join();
      assertExact(world, coupon);
      var copies = messages.copies();
      var owner = owners.getFirst();
      var userCoupon = world.send(Call.status(coupon).as(owner)).text("userCouponId");
      var crowd = world.crowd(coupon, Users.some(5_000)).awaitMidBurst(100);

      fault.strike(
          crowd,
          () -> {
            returnWithoutAnAnswer(other, userCoupon, owner);
            other.awaitHalt();
            messages.send(copies);
            messages.send(copies);
          });
      fault.healsAutomatically();
      crowd.join();
      Await.until(World.REST_LIMIT, "the slot is released", () -> isSlotReleased(coupon));
      awaitNextOwner(coupon);

      var stored = fault.exact(world, coupon);
      assertThat(stored.rows()).hasSize(TOTAL + 1);
      assertThat(stored.liveRows()).isEqualTo(TOTAL);
    }
  }

  /** The slot is withheld for a second after its release, because of leases on "sold out". */
  private void awaitNextOwner(String coupon) {
    Await.until(
        World.REST_LIMIT,
        "the slot is issued again",
        () -> {
          world.crowd(coupon, Users.some(50)).join();
          return StoredCoupon.read(world.postgres(), coupon).rows().size() > TOTAL;
        });
  }

  /** The instance halts before it can answer. */
  private static void returnWithoutAnAnswer(
      HaltedInstance instance, String userCoupon, String owner) {
    var call = Call.of("DELETE", "/api/v1/me/coupons/" + userCoupon).as(owner);
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(() -> World.send(instance.process(), call));
  }

  private boolean isSlotReleased(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).slotsToReturn() == 0;
  }
}
