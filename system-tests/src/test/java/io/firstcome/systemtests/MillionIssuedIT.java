package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A coupon of which a million are issued loses its stock. The rows are made by one statement, as if
 * they had been issued; how long the rebuilding took is in the service's log.
 */
@Tag("faults")
class MillionIssuedIT {

  private static final int ISSUED = 1_000_000;
  private static final int SPARE = 10;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void an_emptied_redis_is_rebuilt_from_a_million_rows_and_the_time_is_told() {
    try (var world = World.ofItsOwn("million")) {
      var coupon = world.define(aCoupon().withTotal(ISSUED + SPARE));
      issueAll(world, coupon);

      world.redis().command("FLUSHALL");

      Await.until(
          LIMIT,
          "a slot behind the million",
          () -> world.send(Call.claim(coupon).as("next")).status() == 202);
      assertSlot(world, coupon, "next", ISSUED + 1);
      assertSlot(world, coupon, "user-1", 1);
      assertSlot(world, coupon, "user-" + ISSUED, ISSUED);
      var read = world.send(Call.get("/api/v1/coupons/" + coupon));
      assertThat(read.json().path("remaining").asInt()).as(read.body()).isEqualTo(SPARE - 1);
      assertThat(log(world))
          .contains("rebuilding %s: 100000 rows so far".formatted(coupon))
          .containsPattern(
              "rebuilt %s: %d rows and 0 claims without one in \\d+ ms".formatted(coupon, ISSUED));
      // What was made by hand is not what the logs are searched for when the world ends.
      execute(world, "DELETE FROM user_coupon WHERE coupon_id = '%s'".formatted(coupon));
    }
  }

  private static void assertSlot(World world, String coupon, String user, int slot) {
    var again = world.send(Call.claim(coupon).as(user));
    assertThat(again.text("outcome")).as(again.body()).isEqualTo("ALREADY_ISSUED");
    assertThat(again.json().path("slot").asInt()).isEqualTo(slot);
  }

  private static String log(World world) {
    try {
      return Files.readString(world.service().logFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void issueAll(World world, String coupon) {
    execute(
        world,
        """
        INSERT INTO user_coupon
          (user_coupon_id, coupon_id, slot, user_id, code, issued_at, expires_at)
        SELECT '%1$s.' || tag, '%1$s', n, 'user-' || n, tag, now(), now() + interval '1 day'
        FROM generate_series(1, %2$d) AS n, to_char(n, 'FM0000000000000000') AS tag
        """
            .formatted(coupon, ISSUED));
  }

  private static void execute(World world, String sql) {
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot prepare the rows", e);
    }
  }
}
