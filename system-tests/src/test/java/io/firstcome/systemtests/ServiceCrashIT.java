package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The service is killed, and no accepted claim is lost. */
@ExtendWith(QuietLogs.class)
class ServiceCrashIT {

  private final World world = World.get();

  @Test
  void a_killed_service_keeps_every_claim_it_accepted() {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(500);

    int inFlight = crowd.inFlight();
    world.service().kill();
    assertThat(inFlight).as("requests in flight at the fault").isPositive();
    world.service().restart();
    crowd.join();
    World.ready(world.service());

    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(2_000);
    assertThat(world.record().claimsOf(coupon))
        .as("requests that the crash left unanswered")
        .anySatisfy(claim -> assertThat(claim.kind()).isEqualTo(RecordedClaim.Kind.UNKNOWN));
  }
}
