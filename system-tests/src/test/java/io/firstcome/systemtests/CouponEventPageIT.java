package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A page of an event shows several coupons, and what the customer has of them, with one call. */
@ExtendWith(QuietLogs.class)
class CouponEventPageIT {

  private static final String PATH = "/api/v1/coupons";

  private final World world = World.get();

  private Answer list(String query) {
    return world.send(Call.get(PATH + query));
  }

  private static List<String> ids(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .path("items")
        .valueStream()
        .map(i -> i.path("couponId").asString())
        .toList();
  }

  private static JsonNode item(Answer answer, int index) {
    return answer.json().path("items").path(index);
  }

  @Test
  void coupons_are_listed_in_the_order_of_their_ids_in_the_query() {
    var scheduled = world.define(aCoupon().openIn(Duration.ofMinutes(30)));
    var open = world.define(aCoupon().withTotal(1));

    var answer = list("?ids=%s,NOWHERE,%s,%s".formatted(scheduled, open, scheduled));

    assertThat(ids(answer)).containsExactly(scheduled, open);
    assertThat(item(answer, 0).path("phase").asString()).isEqualTo("SCHEDULED");
    assertThat(item(answer, 1).path("phase").asString()).isEqualTo("OPEN");
    assertThat(item(answer, 1).path("remaining").asInt()).isEqualTo(1);
    assertThat(item(answer, 1).has("mine")).isFalse();
    assertThat(answer.header("cache-control")).isEqualTo("max-age=1");
  }

  @Test
  void a_customer_sees_the_own_claims_whether_or_not_they_have_a_row() {
    var ann = Users.one();
    var issued = world.define(aCoupon());
    var returned = world.define(aCoupon());
    var none = world.define(aCoupon());
    world.send(Call.claim(issued).as(ann).prefer("wait=10"));
    var given = world.send(Call.claim(returned).as(ann).prefer("wait=10")).text("userCouponId");
    world.send(Call.of("DELETE", "/api/v1/me/coupons/" + given).as(ann));

    var call = Call.get(PATH + "?ids=%s,%s,%s".formatted(issued, returned, none));
    var answer = world.send(call.as(ann));

    assertThat(item(answer, 0).path("mine").path("state").asString()).isEqualTo("ISSUED");
    assertThat(item(answer, 1).path("mine").path("state").asString()).isEqualTo("RETURNED");
    assertThat(item(answer, 2).has("mine")).isFalse();
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
    assertThat(item(world.send(call.as(Users.one())), 0).has("mine")).isFalse();
  }

  @Test
  void a_claim_is_seen_at_once_also_before_it_has_a_row() {
    var coupon = world.define(aCoupon());
    for (var user : Users.some(20)) {
      assertThat(world.send(Call.claim(coupon).as(user)).status()).isEqualTo(202);
      var answer = world.send(Call.get(PATH + "?ids=" + coupon).as(user));
      assertThat(item(answer, 0).path("mine").path("state").asString()).isIn("ACCEPTED", "ISSUED");
    }
  }

  @Test
  void the_list_has_pages_without_drafts_and_archived_coupons() {
    var first = world.define(aCoupon());
    var second = world.define(aCoupon());
    var draft = aCoupon().with("draft", "true");
    assertThat(world.send(Call.define(draft.json())).status()).isEqualTo(201);
    var third = world.define(aCoupon());
    var sorted = List.of(first, second, third).stream().sorted().toList();

    var page = list("?limit=1&after=" + sorted.getFirst());
    assertThat(ids(page)).hasSize(1);
    assertThat(page.text("next")).isEqualTo(ids(page).getFirst());
    assertThat(ids(list("?limit=100"))).doesNotContain(draft.id());
  }

  @Test
  void a_wrong_query_is_refused() {
    var many = "A1,".repeat(20);
    for (var wrong :
        List.of("?ids=", "?ids=a", "?ids=A1,", "?limit=0", "?limit=101", "?after=x", "?after=")) {
      assertProblem(list(wrong), 400, "malformed-request");
    }
    assertThat(ids(list("?ids=" + many + "A1"))).isEmpty();
    var tooMany = new StringBuilder("A0");
    for (int i = 1; i <= 20; i++) {
      tooMany.append(",A").append(i);
    }
    assertProblem(list("?ids=" + tooMany), 400, "malformed-request");
  }
}
