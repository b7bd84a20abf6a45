package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.ServerData;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The database is restored from a backup that is older than the stock. */
@ExtendWith(QuietLogs.class)
class DatabaseSetBackIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The service's default. */
  private static final int PARTITIONS = 4;

  /** A world of its own, as the test loses committed rows. */
  private static final class Own {
    static final World WORLD = World.ofItsOwn("set-back");
  }

  private final World world = Own.WORLD;

  @AfterAll
  static void end() {
    Own.WORLD.close();
  }

  /** A recovery between backup and restore raises the epoch, by which the loss is detected. */
  @Tag("faults")
  @Scenario(
      number = "28",
      fault = "PostgreSQL restored from an older backup while users repeat their claims",
      guards = "recover-set-back")
  void a_restored_older_database_stops_claims_until_an_operator_confirms_the_restore(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(1_000));
    world.crowd(coupon, Users.some(300)).join();
    assertExact(world, coupon);
    ServerData.of(world).backUpDatabase();
    var later = Users.some(400);
    world.crowd(coupon, later).join();
    double opened = opened();
    world.redis().restart();
    Await.until(LIMIT, "all partitions recovered", () -> opened() >= opened + PARTITIONS);
    var before = assertExact(world, coupon);
    var again = nCopies(30, later).stream().flatMap(List::stream).toList();
    var crowd = world.crowd(coupon, again).awaitMidBurst(500);

    fault.strike(crowd, ServerData.of(world)::restoreDatabase);
    Await.until(
        LIMIT,
        "recovery is reported as stopped",
        () -> stopped() > 0 && !world.service().takesClaims());
    Await.until(
        LIMIT,
        "claims are refused as recovering",
        () -> claimed(coupon, later.getFirst()).equals("recovering"));
    assertThat(claimed(coupon, Users.one())).isEqualTo("recovering");
    assertThat(StoredCoupon.read(world.postgres(), coupon).rows()).hasSize(300);
    assertThat(recover("{}")).contains("STOPPED");
    assertThat(statedBy("olga").status()).isEqualTo(202);
    assertThat(statedBy("olga").text("state")).isEqualTo("NEEDS_SECOND_OPERATOR");
    fault.mend(() -> {
      var recovered = statedBy("omar");
      assertThat(recovered.status()).as(recovered.body()).isEqualTo(200);
      assertThat(recovered.body()).contains("OPEN").doesNotContain("STOPPED");
    });
    crowd.join();
    World.ready(world.service());

    var after = fault.exact(world, coupon);
    assertThat(after.rows()).isEqualTo(before.rows());
    world.crowd(coupon, Users.some(500)).join();
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(1_000);
  }

  private String claimed(String coupon, String user) {
    try (var claimant = world.claimant()) {
      return claimant.claim(coupon, user).orElseThrow().outcome();
    }
  }

  private double opened() {
    return World.metric(world.service(), "firstcome_recovery_steps_total", "step=\"open\"");
  }

  private double stopped() {
    return World.metric(world.service(), "firstcome_recovery_stopped_total", "");
  }

  private Answer statedBy(String operator) {
    return world.send(
        Call.of("POST", "/api/v1/admin/stock/recovery")
            .as(operator)
            .operator()
            .json("{\"databaseWasSetBack\":true}"));
  }

  private String recover(String request) {
    var answer =
        world.send(Call.of("POST", "/api/v1/admin/stock/recovery").operator().json(request));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }
}
