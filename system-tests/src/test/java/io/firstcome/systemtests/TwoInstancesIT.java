package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static io.firstcome.systemtests.kit.Exactness.assertExactInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Claimant;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two instances on the same servers act as one service. */
@ExtendWith(QuietLogs.class)
class TwoInstancesIT {

  private static final Pattern RECORDED =
      Pattern.compile("^firstcome_recorded_total (\\S+)", Pattern.MULTILINE);

  /** Both instances consume one queue: so many messages do not all go to the same instance. */
  private static final int CLAIMS_MAX = 200;

  private static final int ENOUGH_ROWS = 20;

  private final World world = World.get();

  @Test
  void users_of_two_instances_get_exactly_all_slots_in_order() {
    try (ServiceProcess second = World.ready(world.start("second", Map.of()))) {
      var coupon = world.define(aCoupon().withTotal(500));

      world.crowd(coupon, Users.some(3_000), world.service(), second).join();

      assertThat(assertExactInOrder(world, coupon).liveRows()).isEqualTo(500);
      callersOfOneGetRowsOfTheOther(second);
    }
  }

  private void callersOfOneGetRowsOfTheOther(ServiceProcess second) {
    var coupon = world.define(aCoupon().withTotal(CLAIMS_MAX));
    double before = recorded(world.service());
    try (Claimant claimant = new Claimant(second.port(), world.record())) {
      for (var user : Users.some(CLAIMS_MAX)) {
        assertThat(claimant.claim(coupon, user, 10).orElseThrow().status()).isEqualTo(201);
        if (recorded(world.service()) - before >= ENOUGH_ROWS) {
          assertExact(world, coupon);
          return;
        }
      }
    }
    throw new AssertionError("the first instance recorded too few claims");
  }

  private static double recorded(ServiceProcess instance) {
    var metrics = World.manage(instance, "/actuator/prometheus").body();
    return RECORDED
        .matcher(metrics)
        .results()
        .mapToDouble(result -> Double.parseDouble(result.group(1)))
        .sum();
  }
}
