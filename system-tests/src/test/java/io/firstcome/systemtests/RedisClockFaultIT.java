package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.firstcome.devservices.server.RedisClock;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The clock of Redis is briefly wrong. */
@ExtendWith(QuietLogs.class)
class RedisClockFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration JUMP = Duration.ofSeconds(2);

  /** The allowed difference between the clocks of database and stock. */
  private static final Duration MAY_DIFFER = Duration.ofSeconds(5);

  /** The service's default. */
  private static final int PARTITIONS = 4;

  private static final int MANY = 20_000;
  private static final int FEW = 50;

  /** A world of its own, as other tests need a correct clock. */
  private static final class Own {
    static final World WORLD = World.withRedisClock("redis-clock");
  }

  @BeforeAll
  static void requireLibrary() {
    assumeTrue(
        RedisClock.isAvailable() || "true".equals(System.getenv("CI")),
        "needs libfaketime and an installed Redis");
  }

  @AfterAll
  static void end() {
    if (RedisClock.isAvailable()) {
      Own.WORLD.close();
    }
  }

  @Tag("faults")
  @Scenario(
      number = "43",
      fault =
          "Redis' clock is 30 days ahead for two seconds under load, while a consumer of the"
              + " hand-off log dies with unprocessed entries; then Redis is restarted",
      guards = "clock-jump-lasts")
  void a_short_clock_jump_of_redis_changes_no_window_and_no_validity(Fault fault) {
    var world = Own.WORLD;
    var begin = Instant.now();
    var coupon = world.define(aCoupon().withTotal(MANY + 2 * FEW));
    var later =
        world.define(aCoupon().openIn(Duration.ofHours(1)).closingIn(MONTH.multipliedBy(2)));
    var crowd = world.crowd(coupon, Users.some(MANY)).awaitMidBurst(FEW);

    fault.strike(crowd, () -> jumpWhileAReaderDies(world));
    long jumped = System.nanoTime();
    Await.until(LIMIT, "a difference of the clocks", () -> aheadSeconds(world) > 1_000_000);
    world.crowdWithoutRetries(coupon, Users.some(FEW)).awaitEnd();
    world.crowdWithoutRetries(later, Users.some(FEW)).awaitEnd();
    Await.until(LIMIT, "the end of the jump", () -> System.nanoTime() - jumped > JUMP.toNanos());
    fault.mend(() -> world.redisClock().shiftBy(Duration.ZERO));
    crowd.join();
    world.redis().restart();
    world.crowd(coupon, Users.some(FEW)).join();

    assertThat(outcomes(world, coupon)).doesNotContain("closed", "not-open");
    assertThat(outcomes(world, later)).contains("recovering").doesNotContain("ACCEPTED");
    assertThat(fault.exact(world, coupon).liveRows()).isGreaterThanOrEqualTo(MANY + FEW);
    assertThat(rowsWithWrongTimes(world, coupon, begin)).as("rows with wrong times").isZero();
  }

  /**
   * Freezes the service with unread entries in the log. Another consumer reads them during the jump
   * and does not process them.
   */
  private static void jumpWhileAReaderDies(World world) {
    while (true) {
      world.service().pause();
      try {
        if (unread(world) > 0) {
          world.redisClock().shiftBy(MONTH);
          logs().forEach(log -> readAndDie(world, log));
          return;
        }
      } finally {
        world.service().resume();
      }
    }
  }

  private static List<String> logs() {
    return IntStream.range(0, PARTITIONS).mapToObj("firstcome:{%d}:handoff"::formatted).toList();
  }

  private static long unread(World world) {
    return logs().stream().mapToLong(log -> unread(world, log)).sum();
  }

  private static long unread(World world, String log) {
    long pending =
        world
            .redis()
            .command("XPENDING", log, "relay")
            .lines()
            .findFirst()
            .map(Long::valueOf)
            .orElse(0L);
    return Long.parseLong(world.redis().command("XLEN", log)) - pending;
  }

  private static void readAndDie(World world, String log) {
    String _ =
        world
            .redis()
            .command("XREADGROUP", "GROUP", "relay", "dead", "COUNT", "1000", "STREAMS", log, ">");
  }

  private static double aheadSeconds(World world) {
    return World.metric(world.service(), "firstcome_clock_ahead_seconds", "clock=\"Redis\"");
  }

  private static Set<String> outcomes(World world, String coupon) {
    return world.record().claimsOf(coupon).stream().map(RecordedClaim::outcome).collect(toSet());
  }

  private static long rowsWithWrongTimes(World world, String coupon, Instant begin) {
    try (var connection = world.postgres().connect();
        var query =
            connection.prepareStatement(
                "SELECT count(*) FROM user_coupon_text WHERE coupon_id = ?"
                    + " AND (issued_at < ? OR issued_at > now() + interval '5 seconds'"
                    + " OR expires_at <> issued_at + interval '720 hours')")) {
      query.setString(1, coupon);
      query.setObject(2, OffsetDateTime.ofInstant(begin.minus(MAY_DIFFER), ZoneOffset.UTC));
      try (var found = query.executeQuery()) {
        found.next();
        return found.getLong(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the rows of " + coupon, e);
    }
  }
}
