package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of defining a coupon and of reading it. */
@ExtendWith(QuietLogs.class)
class CouponDefinitionApiIT {

  private static final String ZERO_PROOF =
      """
      {"slotsUsed":0,"unrecorded":0,"missing":0,"extra":0,"duplicateUsers":0,\
      "oldestUnrecordedMillis":0,"handoffDepth":0,"exact":true}\
      """;

  private final World world = World.get();

  @Test
  void every_member_of_a_definition_is_returned() {
    var coupons =
        List.of(
            aCoupon()
                .with(
                    "discount",
                    "{\"type\":\"AMOUNT\",\"amountOff\":{\"minorUnits\":150,\"currency\":\"USD\"}}")
                .with("minimumOrder", "{\"minorUnits\":1000,\"currency\":\"USD\"}")
                .with("validity", "{\"until\":\"2099-12-31T23:59:59.123Z\"}")
                .with("returnsToStock", "true"),
            aCoupon()
                .with(
                    "discount",
                    """
                    {"type":"PERCENT","basisPoints":1250,"currency":"JPY",
                     "cap":{"minorUnits":3000,"currency":"JPY"}}
                    """)
                .with("name", "\"Zwölf ½ Prozent 🎁\"")
                .withTotal(100_000_000),
            aCoupon()
                .with(
                    "discount", "{\"type\":\"PERCENT\",\"basisPoints\":10000,\"currency\":\"EUR\"}")
                .withTotal(1));
    for (var coupon : coupons) {
      var defined = world.send(Call.define(coupon.json()));
      assertThat(defined.status()).as(defined.body()).isEqualTo(201);
      assertThat(defined.header("content-type")).startsWith("application/json");
      assertThat(defined.header("location")).endsWith("/api/v1/coupons/" + coupon.id());

      var read = world.send(Call.get("/api/v1/coupons/" + coupon.id()));
      assertThat(read.status()).isEqualTo(200);
      coupon
          .definition()
          .propertyStream()
          .forEach(member ->
              assertThat(read.json().path(member.getKey()))
                  .as(member.getKey())
                  .isEqualTo(member.getValue()));
      assertThat(read.text("status")).isEqualTo("ACTIVE");
      assertThat(read.json().path("remaining"))
          .isEqualTo(coupon.definition().path("totalQuantity"));
    }
  }

  @Test
  void the_same_definition_again_changes_nothing_and_another_is_refused() {
    var coupon = aCoupon();
    world.define(coupon);
    assertThat(world.send(Call.define(coupon.json())).status()).isEqualTo(200);
    assertProblem(world.send(Call.define(coupon.withTotal(99).json())), 409, "already-defined");
    var read = world.send(Call.get("/api/v1/coupons/" + coupon.id()));
    assertThat(read.json().path("totalQuantity").asInt()).isEqualTo(100);
  }

  @Test
  void each_invalid_member_is_reported() {
    var wrong = aCoupon().with("couponId", "\"lower-case\"");
    assertNames(wrong, "couponId");
    assertNames(aCoupon().with("name", "\" \""), "name");
    assertNames(aCoupon().withTotal(0), "totalQuantity");
    assertNames(aCoupon().withTotal(100_000_001), "totalQuantity");
    assertNames(aCoupon().with("discount", "{\"type\":\"GIFT\"}"), "discount");
    assertNames(
        aCoupon()
            .with(
                "discount",
                "{\"type\":\"AMOUNT\",\"amountOff\":{\"minorUnits\":0,\"currency\":\"EUR\"}}"),
        "discount");
    assertNames(
        aCoupon()
            .with(
                "discount",
                "{\"type\":\"AMOUNT\",\"amountOff\":{\"minorUnits\":1,\"currency\":\"EURO\"}}"),
        "discount");
    assertNames(
        aCoupon()
            .with("discount", "{\"type\":\"PERCENT\",\"basisPoints\":10001,\"currency\":\"EUR\"}"),
        "discount");
    assertNames(
        aCoupon().with("minimumOrder", "{\"minorUnits\":5,\"currency\":\"USD\"}"), "minimumOrder");
    assertNames(aCoupon().with("opensAt", "\"yesterday\""), "opensAt");
    assertNames(aCoupon().closingIn(Duration.ofMinutes(-2)), "closesAt");
    assertNames(aCoupon().with("validity", "{}"), "validity");
    assertNames(aCoupon().with("validity", "{\"days\":0}"), "validity");
    assertNames(aCoupon().with("validity", "{\"until\":\"2001-01-01T00:00:00Z\"}"), "validity");
    assertNames(aCoupon().withWaitingRoom(0), "waitingRoom.admissionsPerSecond");
    assertNames(aCoupon().withWaitingRoom(1_000_001), "waitingRoom.admissionsPerSecond");
    assertNames(
        aCoupon().with("waitingRoom", "{\"admissionTime\":\"PT1S\"}"), "waitingRoom.admissionTime");
    assertNames(
        aCoupon().with("waitingRoom", "{\"joinsFrom\":\"2099-01-01T00:00:00Z\"}"),
        "waitingRoom.joinsFrom");
    assertNames(aCoupon().with("waitingRoom", "{\"mode\":\"SERVE\"}"), "waitingRoom.mode");
    assertNames(aCoupon().with("waitingRoom", "{\"order\":\"RANDOM\"}"), "waitingRoom.order");
  }

  @Test
  void each_missing_member_is_reported() {
    var required =
        List.of(
            "couponId",
            "name",
            "totalQuantity",
            "discount",
            "opensAt",
            "closesAt",
            "validity",
            "returnsToStock");
    required.forEach(member -> assertNames(aCoupon().without(member), member));
    var answer = world.send(Call.define("{}"));
    assertProblem(answer, 422, "invalid-coupon");
    assertThat(answer.json().path("errors").propertyNames()).containsAll(required);
  }

  @Test
  void all_invalid_members_are_reported_together() {
    var wrong =
        aCoupon().with("name", "\"\"").withTotal(-1).with("opensAt", "\"now\"").withWaitingRoom(-1);
    var answer = world.send(Call.define(wrong.json()));
    assertProblem(answer, 422, "invalid-coupon");
    assertThat(answer.json().path("errors").propertyNames())
        .anyMatch(name -> name.startsWith("name"))
        .anyMatch(name -> name.startsWith("totalQuantity"))
        .anyMatch(name -> name.startsWith("opensAt"))
        .anyMatch(name -> name.startsWith("waitingRoom"));
  }

  @Test
  void a_coupon_without_claims_is_proven_exact() {
    var coupon = world.define(aCoupon().withTotal(7));
    var proof = world.send(Call.proof(coupon));
    assertThat(proof.status()).isEqualTo(200);
    assertThat(proof.json().path("total").asInt()).isEqualTo(7);
    assertThat(proof.json().path("free").asInt()).isEqualTo(7);
    CouponRequests.read(ZERO_PROOF)
        .propertyStream()
        .forEach(member ->
            assertThat(proof.json().path(member.getKey()))
                .as(member.getKey())
                .isEqualTo(member.getValue()));
    assertThat(proof.text("checkedAt")).endsWith("Z");
  }

  @Test
  void every_call_for_a_missing_coupon_is_answered_as_unknown() {
    for (var id : List.of("NOT-THERE", "lower", "X", "A".repeat(41))) {
      assertProblem(world.send(Call.get("/api/v1/coupons/" + id)), 404, "unknown-coupon");
      assertProblem(world.send(Call.proof(id)), 404, "unknown-coupon");
      assertProblem(world.send(Call.claim(id).as("somebody")), 404, "unknown-coupon");
      assertProblem(world.send(Call.status(id).as("somebody")), 404, "unknown-coupon");
    }
  }

  private void assertNames(CouponRequests wrong, String member) {
    var answer = world.send(Call.define(wrong.json()));
    assertProblem(answer, 422, "invalid-coupon");
    assertThat(answer.json().path("errors").propertyNames())
        .as(answer.body())
        .allMatch(name -> name.equals(member) || name.startsWith(member + "."))
        .isNotEmpty();
  }
}
