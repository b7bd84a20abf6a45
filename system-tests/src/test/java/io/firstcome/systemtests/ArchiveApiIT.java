package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator archives closed coupons; requests for them are then answered from the database. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class ArchiveApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final World world = World.get();

  /** A coupon with three claims: ann's is issued, bob's returned, cy's used. */
  private String couponWithHistory() {
    var coupon = world.define(aCoupon().withTotal(3).with("returnsToStock", "true"));
    for (var user : List.of("ann", "bob", "cy")) {
      var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
      assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    }
    assertThat(world.send(Call.of("DELETE", userCoupon(coupon, "bob")).as("bob")).status())
        .isEqualTo(204);
    assertThat(use(coupon, "cy", "order-1").status()).isEqualTo(201);
    return coupon;
  }

  private String userCoupon(String coupon, String user) {
    var id = world.send(Call.status(coupon).as(user)).text("userCouponId");
    return "/api/v1/me/coupons/" + id;
  }

  private Answer use(String coupon, String user, String order) {
    var id = world.send(Call.status(coupon).as(user)).text("userCouponId");
    return world.send(Redemptions.use(id, order, 9_000));
  }

  private Answer change(String coupon, String change) {
    return world.send(Call.of("POST", path(coupon) + "/" + change).operator().as("olga"));
  }

  private static String path(String coupon) {
    return "/api/v1/admin/coupons/" + coupon;
  }

  private Answer archived(String coupon) {
    var answer = change(coupon, "archive");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.text("status")).isEqualTo("ARCHIVED");
    assertThat(answer.json().path("remaining").asInt(-1)).isZero();
    return answer;
  }

  private String keysOf(String coupon) {
    return world.redis().command("KEYS", "*:coupon:" + coupon + ":*").strip();
  }

  private void assertAnsweredFromTheDatabase(ServiceProcess by, String coupon, Answer before) {
    var again = World.send(by, Call.claim(coupon).as("ann"));
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.json()).isEqualTo(before.json());
    assertProblem(World.send(by, Call.claim(coupon).as("bob")), 409, "returned");
    assertProblem(World.send(by, Call.claim(coupon).as("dan")), 409, "closed");
    assertThat(World.send(by, Call.status(coupon).as("cy")).text("state")).isEqualTo("USED");
    assertProblem(World.send(by, Call.status(coupon).as("dan")), 404, "no-claim");
    var read = World.send(by, Call.get("/api/v1/coupons/" + coupon));
    assertThat(read.text("status")).isEqualTo("ARCHIVED");
    assertThat(read.json().path("remaining").asInt(-1)).isZero();
    var proof = World.send(by, Call.proof(coupon)).json();
    assertThat(proof.path("exact").asBoolean()).as("%s", proof).isTrue();
    assertThat(proof.path("slotsUsed").asInt()).isEqualTo(2);
    assertThat(proof.path("free").asInt(-1)).isZero();
  }

  @Test
  void an_archived_coupon_is_removed_from_redis_and_its_requests_are_still_answered() {
    var coupon = couponWithHistory();
    var before = world.send(Call.claim(coupon).as("ann"));
    assertThat(keysOf(coupon)).isNotEmpty();
    assertThat(change(coupon, "close").status()).isEqualTo(200);

    archived(coupon);

    assertThat(keysOf(coupon)).isEmpty();
    assertAnsweredFromTheDatabase(world.service(), coupon, before);
    archived(coupon);
    for (var change : List.of("pause", "resume", "close")) {
      assertProblem(change(coupon, change), 409, "archived");
    }
    assertThat(use(coupon, "ann", "order-2").status()).isEqualTo(201);
    var audit = world.send(Call.get(path(coupon) + "/audit?limit=2").operator()).json();
    assertThat(audit.path("items").path(1).path("action").asString("")).isEqualTo("ARCHIVE");
    assertThat(audit.path("items").path(1).path("actor").path("name").asString(""))
        .isEqualTo("olga");
  }

  @Test
  void a_user_coupon_returned_after_archiving_keeps_its_slot() {
    var coupon = couponWithHistory();
    change(coupon, "close");
    archived(coupon);

    assertThat(world.send(Call.of("DELETE", userCoupon(coupon, "ann")).as("ann")).status())
        .isEqualTo(204);

    assertProblem(world.send(Call.claim(coupon).as("ann")), 409, "returned");
    assertProblem(world.send(Call.claim(coupon).as("dan")), 409, "closed");
    assertThat(keysOf(coupon)).isEmpty();
  }

  @Test
  void an_emptied_redis_is_rebuilt_without_the_archived_coupon() {
    var coupon = couponWithHistory();
    var other = world.define(aCoupon());
    var before = world.send(Call.claim(coupon).as("ann"));
    change(coupon, "close");
    archived(coupon);

    world.redis().command("FLUSHALL");
    assertAnsweredFromTheDatabase(world.service(), coupon, before);
    Await.until(
        LIMIT,
        "a claim of the other coupon is accepted",
        () -> world.send(Call.claim(other).as("ann")).status() / 100 == 2);

    world.awaitOpen();
    assertAnsweredFromTheDatabase(world.service(), coupon, before);
    assertThat(keysOf(other)).isNotEmpty();
    assertThat(keysOf(coupon)).isEmpty();
  }

  @Test
  void an_instance_that_cached_the_coupon_as_open_detects_that_it_is_archived() {
    try (ServiceProcess second = World.ready(world.start("archive-second", Map.of()))) {
      var coupon = couponWithHistory();
      var before = World.send(second, Call.claim(coupon).as("ann"));
      assertThat(before.text("outcome")).isEqualTo("ALREADY_ISSUED");
      change(coupon, "close");
      archived(coupon);

      assertAnsweredFromTheDatabase(second, coupon, before);
      assertThat(keysOf(coupon)).isEmpty();
    }
  }

  @Test
  void only_a_closed_coupon_is_archived_and_only_by_an_operator() {
    var coupon = world.define(aCoupon());

    assertProblem(change(coupon, "archive"), 409, "not-closed");
    change(coupon, "pause");
    assertProblem(change(coupon, "archive"), 409, "not-closed");
    assertProblem(change("NOWHERE", "archive"), 404, "unknown-coupon");
    var path = path(coupon) + "/archive";
    assertProblem(world.send(Call.of("POST", path).as("ann")), 403, "forbidden");
    assertProblem(world.send(Call.bare("POST", path).operator()), 401, "unauthenticated");
    assertThat(world.send(Call.get("/api/v1/coupons/" + coupon)).text("status"))
        .isEqualTo("PAUSED");
  }

  @Test
  void an_unrecorded_claim_prevents_archiving_and_is_reported() {
    var coupon = world.define(aCoupon());
    world.amqp().kill();
    try {
      assertThat(world.send(Call.claim(coupon).as("ann")).status()).isEqualTo(202);
      assertThat(change(coupon, "close").status()).isEqualTo(200);

      var refused = assertProblem(change(coupon, "archive"), 409, "not-settled");
      assertThat(refused.json().path("open").toString()).isEqualTo("[\"UNRECORDED_CLAIMS\"]");
    } finally {
      world.amqp().restart();
    }

    Await.until(LIMIT, "the coupon is archived", () -> change(coupon, "archive").status() == 200);
    assertThat(world.send(Call.status(coupon).as("ann")).text("state")).isEqualTo("ISSUED");
  }

  @Test
  void while_redis_is_down_nothing_is_archived_and_archived_coupons_are_answered() {
    var archivedCoupon = couponWithHistory();
    var before = world.send(Call.claim(archivedCoupon).as("ann"));
    change(archivedCoupon, "close");
    archived(archivedCoupon);
    var coupon = couponWithHistory();
    change(coupon, "close");
    world.redis().kill();
    try {
      assertAnsweredFromTheDatabase(world.service(), archivedCoupon, before);
      var answer = change(coupon, "archive");
      assertThat(answer.status()).as(answer.body()).isEqualTo(503);
      assertThat(answer.text("type")).isEqualTo("urn:firstcome:problem:recovering");
      assertThat(world.send(Call.get("/api/v1/coupons/" + coupon)).text("status"))
          .isEqualTo("CLOSED");
    } finally {
      world.redis().restart();
    }

    Await.until(LIMIT, "the coupon is archived", () -> change(coupon, "archive").status() == 200);
    world.awaitOpen();
    assertThat(keysOf(coupon)).isEmpty();
  }
}
