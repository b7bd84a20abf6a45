package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Campaigns;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.HaltedMethod;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator erases a user. */
@ExtendWith(QuietLogs.class)
class ErasureIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ERASED = 40;
  private static final String PATH = "/api/v1/admin/erasures";

  private final World world = World.get();

  private Answer request(String user) {
    return world.send(
        Call.of("POST", PATH).operator().as("olga").json("{\"userId\":\"%s\"}".formatted(user)));
  }

  /** Waits for the end of the erasure, and returns it. */
  private Answer erase(String user) {
    var requested = request(user);
    assertThat(requested.status()).as(requested.body()).isEqualTo(202);
    awaitEnd(requested);
    return read(requested);
  }

  private Answer read(Answer requested) {
    return world.send(Call.get(requested.header("location")).operator());
  }

  private void awaitEnd(Answer requested) {
    Await.until(
        LIMIT,
        () -> "the end of the erasure: " + read(requested).body(),
        () -> read(requested).text("state").equals("ERASED"));
  }

  private Answer issued(String coupon, String user) {
    var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim;
  }

  private Answer claimAgain(String coupon, String user) {
    return world.send(Call.claim(coupon).as(user));
  }

  /** Where PostgreSQL and Redis have the text. */
  private List<String> placesOf(String text) throws SQLException {
    var places = new ArrayList<String>();
    try (var connection = world.postgres().connect();
        var tables = connection.createStatement();
        var rows = connection.createStatement();
        var found =
            tables.executeQuery(
                "SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'")) {
      while (found.next()) {
        var table = found.getString(1);
        try (var row =
            rows.executeQuery(
                "SELECT FROM %s r WHERE r::text LIKE '%%%s%%' LIMIT 1".formatted(table, text))) {
          if (row.next()) {
            places.add(table);
          }
        }
      }
    }
    world
        .redis()
        .command("KEYS", "*")
        .lines()
        .filter(key -> !key.isEmpty())
        .filter(key -> world.redis().command("DUMP", key).contains(text))
        .forEach(places::add);
    return places;
  }

  @Test
  void an_erased_user_is_nowhere_and_cannot_claim_again() throws SQLException {
    var coupon = world.define(aCoupon().withTotal(10).with("returnsToStock", "true"));
    var other = world.define(aCoupon().withTotal(10).with("stockBackend", "\"postgres\""));
    var returned = world.define(aCoupon().withTotal(10).with("returnsToStock", "true"));
    var user = Users.one();
    var claim = issued(coupon, user);
    issued(other, user);
    var id = issued(returned, user).text("userCouponId");
    assertThat(world.send(Call.of("DELETE", "/api/v1/me/coupons/" + id).as(user)).status())
        .isEqualTo(204);
    assertThat(placesOf(user)).as("before").contains("user_coupon", "audit_entry");

    var erasure = erase(user);

    assertThat(erasure.json().path("userCoupons").asInt()).isEqualTo(3);
    assertThat(placesOf(user)).isEmpty();
    for (var one : List.of(coupon, other, returned)) {
      assertProblem(claimAgain(one, user), 409, "returned");
      issued(one, Users.one());
      var proof = world.send(Call.proof(one));
      assertThat(proof.json().path("exact").asBoolean()).as(proof.body()).isTrue();
    }
    assertThat(world.send(Call.get("/api/v1/me/coupons").as(user)).json().path("items")).isEmpty();
    assertProblem(world.send(Call.status(coupon).as(user)), 404, "no-claim");
    assertThat(world.send(Redemptions.use(claim.text("userCouponId"), "order-1", 9_000)).status())
        .as("a shop uses the coupon")
        .isEqualTo(201);
  }

  @Test
  void the_coupon_of_an_erased_user_counts_for_the_limit_of_its_campaign() {
    var drafts =
        Campaigns.drafts(
            world,
            aCoupon().with("returnsToStock", "true"),
            aCoupon().with("returnsToStock", "true"));
    assertThat(world.send(Campaigns.define("E-" + drafts.getFirst(), 1, drafts)).status())
        .isEqualTo(201);
    drafts.forEach(draft ->
        assertThat(
                world
                    .send(
                        Call.of("POST", "/api/v1/admin/coupons/%s/publish".formatted(draft))
                            .operator()
                            .as("olga"))
                    .status())
            .isEqualTo(200));
    var user = Users.one();
    issued(drafts.getFirst(), user);

    erase(user);

    assertProblem(claimAgain(drafts.getLast(), user), 409, "campaign-limit");
  }

  @Test
  void a_request_is_checked_and_repeated_requests_are_one() {
    assertProblem(request(""), 422, "invalid-erasure");
    assertProblem(request("erased:5d41402abc4b2a76b9719d911017c592"), 422, "invalid-erasure");
    assertProblem(
        world.send(Call.of("POST", PATH).operator().as("olga").json("{}")), 422, "invalid-erasure");
    assertProblem(world.send(Call.get(PATH + "/0").operator()), 404, "unknown-erasure");
    assertProblem(world.send(Call.get(PATH + "/a").operator()), 404, "unknown-erasure");
    assertProblem(world.send(Call.get(PATH + "/+1").operator()), 404, "unknown-erasure");
    assertProblem(
        world.send(Call.get(PATH + "/" + Long.MAX_VALUE).operator()), 404, "unknown-erasure");
  }

  @Test
  void nobody_can_claim_under_a_pseudonym() {
    var coupon = world.define(aCoupon());

    assertProblem(
        world.send(Call.claim(coupon).as("erased:5d41402abc4b2a76b9719d911017c592")),
        400,
        "malformed-request");
  }

  /** So many users that each of two instances erases some of them. */
  @Tag("faults")
  @Scenario(
      number = "50",
      fault = "an instance halts while it erases users: after the ledger, before the row",
      guards = "erased-claim")
  void an_erasure_whose_instance_halts_is_completed_by_another_instance(Fault fault)
      throws SQLException {
    var past = world.define(aCoupon().withTotal(ERASED));
    var erased = Users.some(ERASED);
    world.crowd(past, erased).join();
    var coupon = world.define(aCoupon().withTotal(3_000));
    var crowd = world.crowd(coupon, Users.some(500_000), world.service());
    List<Answer> requested;
    try (var other = HaltedInstance.at(world, HaltedMethod.ERASE_IN_STOCK.returned(1))) {
      requested = erased.stream().map(this::request).toList();
      fault.struckAt(other.awaitHalt(), world, coupon);
    }
    crowd.endsAfter(6_000).join();

    requested.forEach(this::awaitEnd);
    for (var user : erased) {
      assertThat(placesOf(user)).as(user).isEmpty();
      assertProblem(claimAgain(past, user), 409, "returned");
    }
    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(3_000);
  }
}
