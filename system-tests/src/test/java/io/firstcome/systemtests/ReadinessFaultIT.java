package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Readiness and recovery during partial faults: an instance that can still do useful work is ready.
 */
@ExtendWith(QuietLogs.class)
class ReadinessFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** A start takes five seconds, on slow machines twenty. */
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** Long enough for several rounds of every loop and several probes. */
  private static final Duration OBSERVED = Duration.ofSeconds(3);

  /** A recovery takes three seconds, on slow machines ten. */
  private static final Duration BACK_LIMIT = Duration.ofSeconds(15);

  private static final int PARTITIONS = 4;

  /** So many that a recovery that processes each of them takes longer than the limit. */
  private static final int ARCHIVED = 100_000;

  private final World world = World.get();

  @Tag("faults")
  @Scenario(
      number = "41a",
      fault = "PostgreSQL hangs (SIGSTOP), then is killed, under two instances",
      guards = "health-claims")
  void without_a_database_every_instance_stays_ready_and_accepts_claims(Fault fault) {
    try (ServiceProcess second = World.ready(world.start("ready-too", Map.of()))) {
      var both = new ServiceProcess[] {world.service(), second};
      var coupon = world.define(aCoupon().withTotal(10_000));
      for (var instance : both) {
        // An instance that has never read a coupon cannot answer its claims without a database.
        world.crowd(coupon, Users.some(5), instance).join();
      }
      var crowd = world.crowd(coupon, Users.some(3_000), both).awaitMidBurst(500);

      fault.strike(crowd, world.postgres()::pause);
      for (var instance : both) {
        Await.until(LIMIT, "wallets down", () -> !instance.servesWallets());
      }
      assertTakeClaimsAllTheTime(both);
      world.postgres().kill();
      assertTakeClaimsAllTheTime(both);
      crowd.join();
      var meanwhile = Users.some(300);
      world.crowd(coupon, meanwhile, both).join();
      assertThat(
              world.record().claimsOf(coupon).stream()
                  .filter(claim -> meanwhile.contains(claim.user())))
          .as("claims without a database")
          .hasSize(meanwhile.size())
          .allSatisfy(claim -> assertThat(claim.status()).isEqualTo(202));
      fault.mend(world.postgres()::restart);

      for (var instance : both) {
        Await.until(LIMIT, "wallets up", instance::servesWallets);
      }
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(3_310);
    }
  }

  private static void assertTakeClaimsAllTheTime(ServiceProcess... instances) {
    for (var instance : instances) {
      assertThat(Await.holdsWithin(OBSERVED, () -> !instance.isReady() || !instance.takesClaims()))
          .as("%s is not ready, or reports that it accepts no claims", instance.url())
          .isFalse();
    }
  }

  /**
   * The database has an earlier epoch than the stock: no instance may open the partition until an
   * operator decides.
   */
  @Tag("faults")
  @Scenario(
      number = "41b",
      fault = "one of four partitions is closed until an operator acts",
      guards = "health-useful")
  void a_closed_partition_makes_no_instance_unready(Fault fault) {
    var closed = world.define(couponOf(0));
    var open = world.define(couponOf(1).withTotal(1_000));
    claimOnce(closed, 202);
    Await.until(
        LIMIT,
        "the row of the claim",
        () -> StoredCoupon.read(world.postgres(), closed).liveRows() == 1);
    var crowd = world.crowd(open, Users.some(2_000)).awaitMidBurst(200);

    fault.strike(
        crowd,
        () -> execute("UPDATE stock_partition SET epoch = epoch - 1 WHERE partition_id = 0"));
    try {
      Await.until(LIMIT, "a closed partition", () -> !world.service().takesClaims());
      assertThat(
              World.manage(world.service(), "/actuator/health/claims")
                  .json()
                  .at("/components/stock/details/closed")
                  .toString())
          .isEqualTo("[0]");
      crowd.join();
      claimOnce(closed, 503);
      assertThat(Await.holdsWithin(OBSERVED, () -> !world.service().isReady()))
          .as("not ready with three of four partitions open")
          .isFalse();
      try (ServiceProcess other = world.start("beside-a-closed-one", Map.of())) {
        Await.until(START_LIMIT, "the instance started meanwhile is ready", other::isReady);
        var later = Users.some(50);
        world.crowd(open, later, other).join();
      }
    } finally {
      fault.mend(
          () -> execute("UPDATE stock_partition SET epoch = epoch + 1 WHERE partition_id = 0"));
    }

    Await.until(LIMIT, "four open partitions", world.service()::takesClaims);
    assertThat(fault.exactInOrder(world, open).liveRows()).isEqualTo(1_000);
  }

  @Tag("faults")
  @Scenario(
      number = "41c",
      fault =
          "Redis restarted with 100,000 archived coupons in the database, one of which still has"
              + " keys in Redis",
      guards = "recover-live")
  void archived_coupons_delay_no_recovery(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(2_000));
    archiveMany(coupon);
    try {
      var staleKeys = "firstcome:{%d}:coupon:OLD-%d:".formatted(7 % PARTITIONS, 7);
      world.redis().command("HSET", staleKeys + "stock", "ready", "1", "status", "ACTIVE");
      world.redis().command("HSET", staleKeys + "ledger", "somebody", "1");
      var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(300);

      fault.strike(crowd, world.redis()::kill);
      fault.mend(world.redis()::restart);
      long from = System.nanoTime();
      Await.until(BACK_LIMIT, "all partitions accept claims", () -> world.service().takesClaims());
      var defined = new Answer[1];
      Await.until(
          BACK_LIMIT,
          "a new coupon is defined",
          () -> {
            defined[0] = world.send(Call.define(aCoupon().json()));
            return defined[0].status() == 201;
          });
      assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(BACK_LIMIT);
      crowd.join();

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(2_000);
      Await.until(
          LIMIT,
          "no keys of the archived coupon in Redis",
          () ->
              world
                  .redis()
                  .command("EXISTS", staleKeys + "stock", staleKeys + "ledger")
                  .strip()
                  .equals("0"));
    } finally {
      // Without the trigger that looks for user coupons of each, which takes minutes.
      execute(
          "SET session_replication_role = replica; DELETE FROM coupon WHERE coupon_id LIKE 'OLD-%'");
    }
  }

  /** Inserts archived coupons with the terms of this one. */
  private void archiveMany(String like) {
    execute(
        """
        INSERT INTO coupon OVERRIDING USER VALUE
        SELECT (jsonb_populate_record(c, jsonb_build_object(
            'coupon_id', 'OLD-' || n, 'status', 'ARCHIVED', 'partition_id', mod(n, %d),
            'stock_revision', c.revision))).*
        FROM coupon c, generate_series(1, %d) n WHERE c.coupon_id = '%s'
        """
            .formatted(PARTITIONS, ARCHIVED, like));
  }

  private static CouponRequests couponOf(int partition) {
    var coupon = aCoupon();
    while (partitionOf(coupon.id()) != partition) {
      coupon = aCoupon();
    }
    return coupon;
  }

  private static int partitionOf(String couponId) {
    var crc = new CRC32();
    crc.update(couponId.getBytes(StandardCharsets.US_ASCII));
    return (int) (crc.getValue() % PARTITIONS);
  }

  private void claimOnce(String coupon, int status) {
    assertThat(world.send(Call.claim(coupon).as(Users.one())).status()).isEqualTo(status);
  }

  private void execute(String sql) {
    try (Connection connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
