package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static io.firstcome.systemtests.kit.Exactness.assertExactInOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Claimant;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Without any fault: exactly N user coupons, one per user, with slots in order of arrival. */
@ExtendWith(QuietLogs.class)
class ExactIssuanceIT {

  private static final Duration HEALING_LIMIT = Duration.ofSeconds(60);

  private static final Pattern SCRIPT_CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

  private final World world = World.get();

  @Test
  void ten_thousand_users_get_exactly_a_hundred_slots_in_order() {
    var coupon = world.define(aCoupon().withTotal(100));
    var users = Users.some(10_000);
    long callsBefore = scriptCalls();

    world.crowd(coupon, users).join();

    long calls = scriptCalls() - callsBefore;
    var stored = assertExactInOrder(world, coupon);
    assertThat(stored.liveRows()).isEqualTo(100);
    var claims = world.record().claimsOf(coupon);
    assertThat(claims).hasSize(users.size());
    assertThat(claims.stream().filter(RecordedClaim::isSoldOut)).hasSize(9_900);
    // Group commit: claims that wait at the same time share one call.
    assertThat(calls).as("scripts run for all claims").isLessThan(users.size() / 2);
  }

  @Test
  void a_retry_after_a_lost_answer_gets_the_same_slot() throws IOException {
    var coupon = world.define(aCoupon().withTotal(300));
    var users = Users.some(300);
    for (var user : users) {
      try (Claimant claimant = world.claimant()) {
        claimant.claimAndHangUp(coupon, user);
      }
    }

    world.crowd(coupon, users).join();

    assertExact(world, coupon);
    // Otherwise no claim with a lost answer was accepted, and the test shows nothing.
    assertThat(world.record().claimsOf(coupon)).anyMatch(RecordedClaim::isRepeated);
  }

  /**
   * A check that cannot fail proves nothing: here the test's check and the service's proof must
   * fail.
   */
  @Test
  void a_deleted_row_is_detected_by_the_check_and_by_the_proof_and_is_restored()
      throws SQLException {
    var coupon = world.define(aCoupon().withTotal(10));
    world.crowd(coupon, Users.some(20)).join();
    var before = assertExact(world, coupon);

    try (var connection = world.postgres().connect();
        var delete =
            connection.prepareStatement(
                "DELETE FROM user_coupon USING coupon WHERE coupon_id = ? AND slot = 3"
                    + " AND user_coupon.coupon_number = coupon.coupon_number")) {
      delete.setString(1, coupon);
      assertThat(delete.executeUpdate()).isEqualTo(1);
    }

    assertThatThrownBy(() -> assertExact(world, coupon)).hasMessageContaining("I1");
    var proof = world.send(Call.proof(coupon)).json();
    assertThat(proof.path("exact").asBoolean(true)).isFalse();
    // The ledger still has the slot. Once the reconciler heals it, it is a late claim.
    assertThat(proof.path("missing").asInt() + proof.path("unrecorded").asInt())
        .as(proof.toString())
        .isEqualTo(1);
    Await.until(HEALING_LIMIT, "the row is restored", () -> isProvedExact(coupon));
    assertThat(assertExact(world, coupon).rows()).isEqualTo(before.rows());
  }

  private boolean isProvedExact(String coupon) {
    return world.send(Call.proof(coupon)).json().path("exact").asBoolean();
  }

  private long scriptCalls() {
    Matcher calls = SCRIPT_CALLS.matcher(world.redis().command("INFO", "commandstats"));
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }
}
