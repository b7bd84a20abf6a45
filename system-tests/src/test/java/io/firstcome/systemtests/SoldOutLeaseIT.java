package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two instances refuse claims of a sold-out coupon without calling Redis, while slots of it become
 * free. Whoever gets such a slot at one instance has it at the other one too.
 */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class SoldOutLeaseIT {

  private static final int TOTAL = 200;
  private static final int RETURNS = 10;
  private static final int PARTITIONS = 4;

  /** A lease is over after 1.1 s, and its end is looked for twenty times a second. */
  private static final Duration CLAIMABLE_WITHIN = Duration.ofSeconds(10);

  private final World world = World.get();

  @Scenario(
      number = "46",
      fault = "slots are returned while two instances refuse claims of the sold-out coupon",
      guards = "claim-withheld")
  void who_gets_a_returned_slot_at_one_instance_has_it_at_the_other(Fault fault) {
    try (var second = World.ready(world.start("leased", Map.of()))) {
      var both = new ServiceProcess[] {world.service(), second};
      var coupon = world.define(aCoupon().withTotal(TOTAL).with("returnsToStock", "true"));
      var owners = Users.some(TOTAL);
      world.crowd(coupon, owners, both).join();
      var crowd = world.crowd(coupon, Users.some(20_000), both);
      fault.isTheCrowd(crowd);
      crowd.join();

      whileNewUsersClaim(
          coupon,
          both,
          () -> {
            Await.until(CLAIMABLE_WITHIN, "leases", () -> leases(coupon) > 2);
            Set<String> known = new HashSet<>(owners);
            for (var owner : owners.subList(0, RETURNS)) {
              giveBack(coupon, owner);
              var winner = awaitWinner(coupon, known);
              for (var instance : both) {
                assertThat(World.send(instance, Call.claim(coupon).as(winner)).text("outcome"))
                    .isEqualTo("ALREADY_ISSUED");
              }
            }
          });

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(TOTAL);
    }
  }

  /** They are refused, so that both instances keep leases, or get the slots that become free. */
  private void whileNewUsersClaim(String coupon, ServiceProcess[] instances, Runnable work) {
    var over = new AtomicBoolean();
    var claims =
        Thread.ofVirtual()
            .start(() -> {
              while (!over.get()) {
                world.crowd(coupon, Users.some(1_000), instances).join();
              }
            });
    try {
      work.run();
    } finally {
      over.set(true);
      Await.until(CLAIMABLE_WITHIN, "the end of the claims", () -> !claims.isAlive());
    }
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

  /** The user who got the slot; from then on that user is known. */
  private String awaitWinner(String coupon, Set<String> known) {
    Await.until(CLAIMABLE_WITHIN, "a winner", () -> !winners(coupon, known).isEmpty());
    var winner = winners(coupon, known).getFirst();
    known.add(winner);
    return winner;
  }

  private List<String> winners(String coupon, Set<String> known) {
    return world.record().claimsOf(coupon).stream()
        .filter(RecordedClaim::isOk)
        .map(RecordedClaim::user)
        .filter(user -> !known.contains(user))
        .toList();
  }
}
