package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator drafts, edits, publishes, copies and deletes coupons. */
@ExtendWith(QuietLogs.class)
class CouponEditApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final World world = World.get();

  private static String path(String coupon) {
    return "/api/v1/admin/coupons/" + coupon;
  }

  private Answer read(String coupon) {
    return world.send(Call.get(path(coupon)).operator());
  }

  private static int revision(Answer coupon) {
    return coupon.json().path("revision").asInt();
  }

  private Answer edit(String coupon, String ifMatch, String patch) {
    return world.send(
        Call.of("PATCH", path(coupon)).operator().header("If-Match: " + ifMatch).json(patch));
  }

  private Answer edit(String coupon, String patch) {
    return edit(coupon, "\"%s\"".formatted(revision(read(coupon))), patch);
  }

  private Answer post(String coupon, String operation) {
    return world.send(Call.of("POST", path(coupon) + "/" + operation).operator());
  }

  private String drafted(CouponRequests coupon) {
    var answer = world.send(Call.define(coupon.with("draft", "true").json()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.text("phase")).isEqualTo("DRAFT");
    assertThat(answer.header("location")).isEqualTo(path(answer.text("couponId")));
    return answer.text("couponId");
  }

  private Answer claim(String coupon, String user) {
    return world.send(Call.claim(coupon).as(user));
  }

  @Test
  void only_operators_see_a_draft_until_it_is_published() {
    var coupon = drafted(aCoupon());
    var view = Call.get("/api/v1/coupons/" + coupon);
    assertProblem(world.send(view), 404, "unknown-coupon");
    assertProblem(claim(coupon, "ann"), 404, "unknown-coupon");
    assertProblem(post(coupon, "pause"), 409, "not-published");
    assertThat(read(coupon).text("phase")).isEqualTo("DRAFT");

    var published = post(coupon, "publish");
    assertThat(published.status()).as(published.body()).isEqualTo(200);
    assertThat(published.text("phase")).isEqualTo("OPEN");
    assertThat(post(coupon, "publish").status()).isEqualTo(200);

    Await.until(LIMIT, "the coupon is known", () -> world.send(view).status() == 200);
    assertThat(claim(coupon, "ann").status()).isEqualTo(202);
  }

  @Test
  void before_the_first_claim_everything_can_be_edited() {
    var coupon = world.define(aCoupon().withTotal(10));
    assertThat(revision(read(coupon))).isEqualTo(1);

    var edited =
        edit(
            coupon,
            """
            {"name":"Half price","totalQuantity":1,"minimumOrder":{"minorUnits":1000,"currency":"EUR"},
             "discount":{"type":"PERCENT","amountOff":null,"basisPoints":5000,"currency":"EUR"},"returnsToStock":true}
            """);

    assertThat(edited.status()).as(edited.body()).isEqualTo(200);
    assertThat(revision(edited)).isEqualTo(2);
    assertThat(edited.text("name")).isEqualTo("Half price");
    assertThat(edited.json().path("discount").path("basisPoints").asInt()).isEqualTo(5_000);
    assertThat(edited.json().path("revision").asInt()).isEqualTo(2);
    assertThat(edited.text("createdAt")).isLessThan(edited.text("updatedAt"));
    var removed = edit(coupon, "{\"minimumOrder\":null}");
    assertThat(removed.json().has("minimumOrder")).as(removed.body()).isFalse();

    world.crowd(coupon, Users.some(3)).join();
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(1);
  }

  @Test
  void after_the_first_claim_nothing_is_edited_that_users_rely_on() {
    var coupon = world.define(aCoupon().withTotal(10));
    world.crowd(coupon, Users.some(1)).join();
    var before = read(coupon);

    for (var patch :
        List.of(
            "{\"totalQuantity\":9}",
            "{\"discount\":{\"amountOff\":{\"minorUnits\":1}}}",
            "{\"opensAt\":\"2020-01-01T00:00:00Z\"}",
            "{\"validity\":{\"days\":1}}",
            "{\"name\":\"Other\",\"returnsToStock\":true}")) {
      assertProblem(edit(coupon, patch), 409, "already-claimed");
    }
    assertThat(read(coupon).text("name")).isEqualTo(before.text("name"));
    assertThat(revision(read(coupon))).isEqualTo(revision(before));

    var edited =
        edit(
            coupon,
            "{\"name\":\"Other\",\"totalQuantity\":11,\"closesAt\":\"2099-01-01T00:00:00Z\"}");
    assertThat(edited.status()).as(edited.body()).isEqualTo(200);
    assertThat(edited.text("closesAt")).isEqualTo("2099-01-01T00:00:00Z");
    world.crowd(coupon, Users.some(20)).join();
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(11);
  }

  /** Each edit lowers the quantity by one; whichever succeeds, exactly that many are issued. */
  @Test
  void edits_during_the_first_claims_leave_an_exact_coupon() {
    var coupon = world.define(aCoupon().withTotal(300));
    var crowd = world.crowd(coupon, Users.some(2_000));
    int edits = 0;
    for (int total = 299; total > 250; total--) {
      var answer = edit(coupon, "{\"totalQuantity\":%d}".formatted(total));
      assertThat(answer.status()).as(answer.body()).isIn(200, 409, 412);
      edits += answer.status() == 200 ? 1 : 0;
    }
    crowd.join();

    int total = read(coupon).json().path("totalQuantity").asInt();
    assertThat(total).isEqualTo(300 - edits);
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(total);
  }

  @Test
  void an_edit_needs_the_revision_that_was_read() {
    var coupon = world.define(aCoupon());
    var call = Call.of("PATCH", path(coupon)).operator().json("{\"name\":\"Other\"}");

    assertProblem(world.send(call), 428, "precondition-required");
    for (var wrong : List.of("1", "*", "W/\"1\"", "\"x\"", "\"1\", \"2\"")) {
      assertProblem(edit(coupon, wrong, "{\"name\":\"Other\"}"), 400, "malformed-request");
    }
    var overtaken = assertProblem(edit(coupon, "\"2\"", "{\"name\":\"Other\"}"), 412, "overtaken");
    assertThat(overtaken.json().path("revision").asInt()).isEqualTo(1);
    assertProblem(edit("NOWHERE", "\"1\"", "{}"), 404, "unknown-coupon");
    assertThat(revision(edit(coupon, "{}"))).isEqualTo(1);
  }

  @Test
  void an_edit_with_wrong_members_names_them_and_changes_nothing() {
    var coupon = world.define(aCoupon());

    var wrong =
        edit(
            coupon,
            "{\"couponId\":\"OTHER\",\"stockBackend\":\"redis\",\"draft\":true,\"name\":null,\"totalQuantity\":0}");
    assertProblem(wrong, 422, "invalid-coupon");
    assertThat(wrong.json().path("errors").propertyNames())
        .containsExactlyInAnyOrder("couponId", "stockBackend", "draft", "name", "totalQuantity");
    for (var malformed :
        List.of(
            "[]",
            "1",
            "null",
            "{\"title\":\"x\"}",
            "{\"title\":null}",
            "{\"discount\":{\"title\":null}}",
            "{\"name\":{}}",
            "{")) {
      assertProblem(edit(coupon, malformed), 400, "malformed-request");
    }
    var tooLarge = edit(coupon, "{\"totalQuantity\":4294967297}");
    assertThat(assertProblem(tooLarge, 400, "malformed-request").text("detail"))
        .isEqualTo("A number of the body is too large or too small.");
    assertThat(revision(read(coupon))).isEqualTo(1);
  }

  @Test
  void a_copy_is_a_draft_that_can_be_edited_and_deleted() {
    var coupon = world.define(aCoupon().withTotal(7));
    var copy = coupon + "-COPY";
    var json = "{\"couponId\":\"%s\"}".formatted(copy);
    var call = Call.of("POST", path(coupon) + "/copy").operator();

    var copied = world.send(call.json(json));
    assertThat(copied.status()).as(copied.body()).isEqualTo(201);
    assertThat(copied.text("phase")).isEqualTo("DRAFT");
    assertThat(copied.json().path("totalQuantity").asInt()).isEqualTo(7);
    assertThat(world.send(call.json(json)).status()).isEqualTo(200);
    assertProblem(world.send(call.json("{\"couponId\":\"no\"}")), 422, "invalid-coupon");
    var itself = "{\"couponId\":\"%s\"}".formatted(coupon);
    assertProblem(world.send(call.json(itself)), 422, "invalid-coupon");
    assertThat(edit(copy, "{\"totalQuantity\":3}").status()).isEqualTo(200);
    assertProblem(world.send(call.json(json)), 409, "already-defined");

    var delete = Call.of("DELETE", path(copy)).operator();
    assertProblem(world.send(delete), 428, "precondition-required");
    assertProblem(world.send(delete.header("If-Match: \"1\"")), 412, "overtaken");
    assertProblem(world.send(delete.header("If-Match: \"2147483648\"")), 412, "overtaken");
    assertThat(world.send(delete.header("If-Match: \"2\"")).status()).isEqualTo(204);
    assertProblem(world.send(delete.header("If-Match: \"2\"")), 404, "unknown-coupon");
    assertProblem(world.send(call.json(json)), 409, "already-defined");
    assertProblem(
        world.send(Call.of("DELETE", path(coupon)).operator().header("If-Match: \"1\"")),
        409,
        "not-draft");
  }
}
