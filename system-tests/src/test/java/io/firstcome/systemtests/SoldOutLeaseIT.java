package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An instance refuses claims of a sold-out coupon without calling Redis, while slots of it become
 * free. Whoever gets such a slot at another instance has it at this one too.
 */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class SoldOutLeaseIT {

  private static final int TOTAL = 200;
  private static final int RETURNS = 10;
  private static final int PARTITIONS = 4;

  /** More than the refusals after which a lease is requested. */
  private static final int REFUSED = 300;

  /** A lease is over after 1.1 s, and its end is looked for twenty times a second. */
  private static final Duration CLAIMABLE_WITHIN = Duration.ofSeconds(10);

  private final World world = World.get();

  @Scenario(
      number = "46",
      fault = "slots are returned while one of two instances refuses claims under a lease",
      guards = "claim-withheld")
  void who_gets_a_returned_slot_at_one_instance_has_it_at_the_other(Fault fault) {
    try (var leased = World.ready(world.start("leased", Map.of()))) {
      var coupon = world.define(aCoupon().withTotal(TOTAL).with("returnsToStock", "true"));
      var owners = Users.some(TOTAL);
      world.crowd(coupon, owners, world.service(), leased).join();
      var crowd = world.crowd(coupon, Users.some(5_000), leased);
      fault.isTheCrowd(crowd);
      crowd.join();

      for (var owner : owners.subList(0, RETURNS)) {
        getLease(coupon, leased);
        giveBack(coupon, owner);
        var winner = awaitWinner(coupon);
        assertThat(outcome(leased, coupon, winner)).startsWith("ALREADY_");
      }

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(TOTAL);
    }
  }

  /** Afterwards no user claims at the instance, so that it does not ask for the next lease. */
  private void getLease(String coupon, ServiceProcess instance) {
    long before = leases(coupon);
    Await.until(
        CLAIMABLE_WITHIN,
        "a lease",
        () -> {
          world.crowd(coupon, Users.some(REFUSED), instance).join();
          return leases(coupon) > before;
        });
  }

  /** How many leases Redis has granted. */
  private long leases(String coupon) {
    long granted = 0;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      var stock = "firstcome:{%d}:coupon:%s:stock".formatted(partition, coupon);
      var found = world.redis().command("HGET", stock, "leases").strip();
      granted += found.isEmpty() ? 0 : Long.parseLong(found);
    }
    return granted;
  }

  private void giveBack(String coupon, String owner) {
    var userCoupon = world.send(Call.status(coupon).as(owner)).text("userCouponId");
    var call = Call.of("DELETE", "/api/v1/me/coupons/" + userCoupon).as(owner);
    assertThat(world.send(call).status()).isEqualTo(204);
  }

  /** A user who claims at the instance without a lease until the claim is accepted. */
  private String awaitWinner(String coupon) {
    var user = Users.one();
    Await.until(
        CLAIMABLE_WITHIN,
        "the slot can be claimed",
        () -> {
          try (var claimant = world.claimant()) {
            return List.of("ACCEPTED", "ISSUED")
                .contains(claimant.claim(coupon, user).orElseThrow().outcome());
          }
        });
    return user;
  }

  private static String outcome(ServiceProcess instance, String coupon, String user) {
    var answer = World.send(instance, Call.claim(coupon).as(user));
    return answer.status() == 200 ? answer.text("outcome") : answer.toString();
  }
}
