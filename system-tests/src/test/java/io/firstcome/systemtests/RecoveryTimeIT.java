package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.ManyHolders;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Measures how long claims of a coupon with a million issued slots ({@code
 * -Dfirstcome.recovery.rows}) are refused after Redis has lost its data, and after a restart with
 * its data. One statement inserts the rows. The times are printed and not asserted.
 */
@Tag("faults")
class RecoveryTimeIT {

  private static final int ISSUED = Integer.getInteger("firstcome.recovery.rows", 1_000_000);
  private static final int SPARE = 10;
  private static final Duration LIMIT = Duration.ofMinutes(10);

  @Test
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void a_large_coupon_accepts_claims_again_and_every_slot_is_unchanged() throws SQLException {
    try (var world = World.direct("recovery-time");
        var holders =
            ManyHolders.of(world, world.define(aCoupon().withTotal(ISSUED + SPARE)), ISSUED)) {
      var coupon = holders.couponId();
      long emptied =
          millisUntilClaimed(world, coupon, "first", () -> world.redis().command("FLUSHALL"));
      assertSlots(world, coupon, "first", 1);
      long restarted = millisUntilClaimed(world, coupon, "second", world.redis()::restart);
      assertSlots(world, coupon, "second", 2);

      System.out.printf(
          "recovery of %,d rows: %,d ms after Redis was emptied, %,d ms after it was restarted%n",
          ISSUED, emptied, restarted);
    }
  }

  /** From the end of the fault to the end of the first accepted claim. */
  private static long millisUntilClaimed(World world, String coupon, String user, Runnable fault) {
    fault.run();
    long begin = System.nanoTime();
    Await.until(
        LIMIT, "an accepted claim", () -> world.send(Call.claim(coupon).as(user)).status() == 202);
    return Duration.ofNanos(System.nanoTime() - begin).toMillis();
  }

  private static void assertSlots(World world, String coupon, String newUser, int newUsers) {
    assertSlot(world, coupon, newUser, ISSUED + newUsers);
    assertSlot(world, coupon, "user-1", 1);
    assertSlot(world, coupon, "user-" + ISSUED, ISSUED);
    var read = world.send(Call.get("/api/v1/coupons/" + coupon));
    assertThat(read.json().path("remaining").asInt()).as(read.body()).isEqualTo(SPARE - newUsers);
  }

  private static void assertSlot(World world, String coupon, String user, int slot) {
    var again = world.send(Call.claim(coupon).as(user));
    assertThat(again.text("outcome")).as(again.body()).startsWith("ALREADY_");
    assertThat(again.json().path("slot").asInt()).isEqualTo(slot);
  }
}
