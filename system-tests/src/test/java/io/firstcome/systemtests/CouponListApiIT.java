package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Operators list coupons, and read one with the counts of its user coupons by state. */
@ExtendWith(QuietLogs.class)
class CouponListApiIT {

  private static final String PATH = "/api/v1/admin/coupons";

  private final World world = World.get();

  private Answer list(String query) {
    var answer = world.send(Call.get(PATH + query).operator());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private static List<String> ids(Answer list) {
    var ids = new ArrayList<String>();
    list.json().path("items").forEach(item -> ids.add(item.path("couponId").asString("")));
    return ids;
  }

  /** An id right after the first one: no id of another test is between them. */
  private static CouponRequests named(CouponRequests first, int number) {
    return aCoupon().with("couponId", "\"%s-%d\"".formatted(first.id(), number));
  }

  @Test
  void coupons_are_listed_by_id_in_pages() {
    var first = aCoupon();
    var ids = new ArrayList<String>();
    ids.add(world.define(first));
    for (int i = 1; i <= 3; i++) {
      ids.add(world.define(named(first, i)));
    }

    var page = list("?limit=2&after=" + ids.getFirst());
    assertThat(ids(page)).containsExactly(ids.get(1), ids.get(2));
    assertThat(page.text("next")).isEqualTo(ids.get(2));
    assertThat(ids(list("?limit=1&after=" + page.text("next")))).containsExactly(ids.get(3));
    assertThat(list("?after=ZZ-9").json().has("next")).as("at the end").isFalse();
  }

  @Test
  void a_listed_coupon_has_the_members_that_customers_see() {
    var first = aCoupon();
    world.define(first);
    var coupon = world.define(named(first, 1));

    var item = list("?limit=1&after=" + first.id()).json().path("items").path(0);

    var shown = world.send(Call.get("/api/v1/coupons/" + coupon)).json();
    assertThat(item.propertyNames()).containsExactlyInAnyOrderElementsOf(shown.propertyNames());
    for (var name : item.propertyNames()) {
      if (!name.equals("serverTime")) {
        assertThat(item.path(name)).isEqualTo(shown.path(name));
      }
    }
  }

  @Test
  void coupons_can_be_listed_by_status() {
    var first = aCoupon();
    world.define(first);
    var paused = world.define(named(first, 1));
    world.define(named(first, 2));
    var pausedToo = world.define(named(first, 3));
    for (var coupon : List.of(paused, pausedToo)) {
      world.send(Call.of("POST", PATH + "/" + coupon + "/pause").operator());
    }

    var found = list("?status=PAUSED&limit=2&after=" + first.id());

    assertThat(ids(found)).containsExactly(paused, pausedToo);
    assertThat(ids(list("?status=ACTIVE&limit=100"))).doesNotContain(paused, pausedToo);
  }

  @Test
  void a_coupon_is_shown_with_revision_remaining_slots_and_counts() {
    var coupon = world.define(aCoupon().withTotal(10));
    for (var user : List.of("ann", "bob", "cy", "dan")) {
      assertThat(world.send(Call.claim(coupon).as(user).prefer("wait=10")).status()).isEqualTo(201);
    }
    take(Redemptions.hold(idOf(coupon, "bob"), "order-1", 9_000));
    take(Redemptions.use(idOf(coupon, "cy"), "order-1", 9_000));
    world.send(Call.of("DELETE", "/api/v1/me/coupons/" + idOf(coupon, "dan")).as("dan"));
    world.send(Call.of("POST", PATH + "/" + coupon + "/pause").operator());

    var shown = one(coupon);

    assertThat(shown.path("revision").asInt()).isEqualTo(2);
    assertThat(shown.path("status").asString("")).isEqualTo("PAUSED");
    assertThat(shown.path("remaining").asInt()).isEqualTo(6);
    assertThat(shown.path("counts").toString())
        .isEqualTo(
            "{\"issued\":1,\"held\":1,\"used\":1,\"expired\":0,\"returned\":1,\"revoked\":0}");
    assertThat(shown.path("discount"))
        .isEqualTo(world.send(Call.get("/api/v1/coupons/" + coupon)).json().path("discount"));
  }

  private JsonNode one(String coupon) {
    var answer = world.send(Call.get(PATH + "/" + coupon).operator());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private String idOf(String coupon, String user) {
    return world.send(Call.status(coupon).as(user)).text("userCouponId");
  }

  private void take(Call call) {
    var answer = world.send(call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
  }

  @Test
  void invalid_queries_are_refused_and_only_operators_are_permitted() {
    var bad = List.of("limit=0", "limit=101", "limit=x", "status=OPEN", "status=", "after=lower");
    for (var query : bad) {
      assertProblem(world.send(Call.get(PATH + "?" + query).operator()), 400, "malformed-request");
    }
    assertProblem(world.send(Call.get(PATH).as("ann")), 403, "forbidden");
    assertProblem(world.send(Call.get(PATH + "/NOWHERE").operator()), 404, "unknown-coupon");
    assertProblem(world.send(Call.get(PATH + "/lower").operator()), 404, "unknown-coupon");
    var coupon = world.define(aCoupon());
    assertProblem(world.send(Call.get(PATH + "/" + coupon).as("ann")), 403, "forbidden");
  }
}
