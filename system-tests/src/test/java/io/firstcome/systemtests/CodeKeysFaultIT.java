package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Crowd;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** A code key is added: a second instance has it, the world's own instance does not yet. */
@ExtendWith(QuietLogs.class)
class CodeKeysFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int WITH_KEY = 6_000;
  private static final int WITHOUT_KEY = 2_000;

  private static final Map<String, String> SECOND_KEY_IN_USE =
      Map.of(
          "FIRSTCOME_CODEKEYS_2",
          Base64.getEncoder().encodeToString(new byte[32]),
          "FIRSTCOME_ACTIVECODEKEY",
          "2");

  private final World world = World.get();

  @Tag("faults")
  @Scenario(
      number = "45",
      fault = "a coupon defined with a new code key is claimed at an instance without that key",
      guards = {"claim-key-first", "record-key-missing"})
  void an_instance_without_the_key_allocates_no_slot_and_loses_no_claim(Fault fault) {
    try (var upgraded = World.ready(world.start("second-key", SECOND_KEY_IN_USE))) {
      var definition = aCoupon().withTotal(WITH_KEY + WITHOUT_KEY);
      var coupon = definition.id();
      assertThat(World.send(upgraded, Call.define(definition.json())).status()).isEqualTo(201);
      try {
        claimAtBoth(fault, coupon, upgraded);
      } finally {
        archive(upgraded, coupon);
      }
    }
  }

  private void claimAtBoth(Fault fault, String coupon, ServiceProcess upgraded) {
    List<String> refused = Users.some(WITHOUT_KEY);
    double leftBefore = World.metric(upgraded, "firstcome_late_claims_total", "");
    var crowdWithKey = world.crowd(coupon, Users.some(WITH_KEY), upgraded).awaitMidBurst(100);
    var crowdWithoutKey = new AtomicReference<Crowd>();
    fault.strike(
        crowdWithKey, () -> crowdWithoutKey.set(world.crowdWithoutRetries(coupon, refused)));
    fault.healsAutomatically();
    crowdWithKey.join();
    crowdWithoutKey.get().awaitEnd();

    assertThat(claimsOf(coupon, refused))
        .hasSize(WITHOUT_KEY)
        .allSatisfy(claim ->
            assertThat(claim.status() + " " + claim.outcome()).isEqualTo("503 recovering"));
    var read = World.send(upgraded, Call.get("/api/v1/coupons/" + coupon));
    assertThat(read.json().path("remaining").asInt()).as("remaining slots").isEqualTo(WITHOUT_KEY);
    Await.until(
        LIMIT,
        "claims that the instance without the key leaves to the other one",
        () -> World.metric(upgraded, "firstcome_late_claims_total", "") > leftBefore);
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(WITH_KEY);
    assertThat(World.manage(world.service(), "/actuator/health/servers").body())
        .contains("firstcome.code-keys.2 is not installed");

    try (var withNewKey = World.ready(world.start("given-the-key", SECOND_KEY_IN_USE))) {
      world.crowd(coupon, refused, withNewKey).join();
    }
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(WITH_KEY + WITHOUT_KEY);
  }

  private List<RecordedClaim> claimsOf(String coupon, List<String> users) {
    var wanted = new HashSet<>(users);
    return world.record().claimsOf(coupon).stream()
        .filter(claim -> wanted.contains(claim.user()))
        .toList();
  }

  /** Afterwards nothing needs the new key, so other tests can use the world. */
  private static void archive(ServiceProcess instance, String coupon) {
    var path = "/api/v1/admin/coupons/" + coupon;
    World.send(instance, Call.of("POST", path + "/close").operator());
    Await.until(
        LIMIT,
        "the coupon is archived",
        () -> World.send(instance, Call.of("POST", path + "/archive").operator()).status() == 200);
  }
}
