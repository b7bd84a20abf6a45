package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The public view of a coupon, which clients and caches may reuse for a second. */
@ExtendWith(QuietLogs.class)
class CouponViewIT {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final World world = World.get();
  private final String coupon = world.define(aCoupon().withTotal(10));

  private Answer view() {
    return world.send(get());
  }

  private Answer viewUnless(String etag) {
    return world.send(get().header("If-None-Match: " + etag));
  }

  private Call get() {
    return Call.get("/api/v1/coupons/" + coupon);
  }

  @Test
  void it_can_be_reused_for_a_second_and_is_not_sent_again_to_who_has_it() {
    var view = view();
    assertThat(view.status()).isEqualTo(200);
    assertThat(view.header("content-type")).isEqualTo("application/json");
    assertThat(view.header("cache-control")).isEqualTo("max-age=1");
    assertThat(view.header("etag")).matches("W/\"[0-9a-f]+\"");

    var unchanged = viewUnless(view.header("etag"));
    assertThat(unchanged.status()).isEqualTo(304);
    assertThat(unchanged.body()).isEmpty();
    assertThat(unchanged.header("etag")).isEqualTo(view.header("etag"));
    assertThat(unchanged.header("cache-control")).isEqualTo("max-age=1");

    var other = viewUnless("\"other\"");
    assertThat(other.status()).isEqualTo(200);
    assertThat(other.header("etag")).isEqualTo(view.header("etag"));
  }

  @Test
  void a_claim_and_a_change_appear_in_it() {
    var before = view();
    assertThat(before.json().path("remaining").asInt()).isEqualTo(10);
    assertThat(world.send(Call.claim(coupon).as(Users.one())).status()).isEqualTo(202);
    Await.until(LIMIT, "the claim", () -> view().json().path("remaining").asInt() == 9);
    assertThat(viewUnless(before.header("etag")).status()).isEqualTo(200);

    world.send(Call.of("POST", "/api/v1/admin/coupons/" + coupon + "/pause").operator());
    Await.until(LIMIT, "the change", () -> view().text("status").equals("PAUSED"));
  }

  @Test
  void that_there_is_no_coupon_is_not_for_caches() {
    var answer =
        assertProblem(world.send(Call.get("/api/v1/coupons/NO-SUCH")), 404, "unknown-coupon");
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
  }

  @Test
  void it_is_json_for_any_accept_header() {
    assertThat(world.send(get().header("Accept: image/png")).header("content-type"))
        .isEqualTo("application/json");
  }
}
