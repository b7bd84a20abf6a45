package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.RedisServer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The master of Redis is replaced by its replica, and comes back. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(QuietLogs.class)
class RedisFailoverIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int MANY = 100;

  /** Enough that some are left when the link stalls, also on a machine that is busy. */
  private static final int PIECES = 40_000;

  private final World world = World.underSentinel("sentinel");

  @AfterAll
  void close() {
    world.close();
  }

  /** The old master hangs and keeps its memory, its script cache and what it never passed on. */
  @Scenario(
      number = "10",
      fault = "replication stalled, the master hangs, the replica promoted; then back again",
      guards = "claim-replica-wait")
  void a_promotion_loses_no_answered_claim_and_neither_does_the_way_back(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(PIECES));
    var pair = world.redisPair();
    RedisServer old = pair.master();
    RedisServer promoted = pair.replica();
    var crowd = world.crowd(coupon, Users.some(PIECES + 1_000)).awaitMidBurst(500);

    fault.strike(
        crowd,
        () -> {
          // Nothing carries the claims to the database either.
          world.amqp().pause();
          pair.stall();
          // Those before them ask again and again for what the replica may have.
          world.crowdAskingOnce(coupon, Users.some(2 * MANY));
          awaitSlotsOnlyTheMasterKnows(old, promoted, coupon);
          old.pause();
        });
    pair.awaitMaster(promoted);
    fault.mend(world.amqp()::resume);
    awaitServiceAt(promoted);
    old.resume();
    crowd.join();
    assertThat(world.record().claimsOf(coupon))
        .as("claims that no replica had")
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("outcome-unknown"));
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(PIECES);

    pair.awaitReady();
    var second = world.define(aCoupon().withTotal(2_000));
    var more = world.crowd(second, Users.some(4_000)).awaitMidBurst(500);
    fault.strike(more, pair::failOver);
    fault.healsByItself();
    more.join();

    assertThat(pair.master().port()).isEqualTo(old.port());
    assertThat(fault.exact(world, second).liveRows()).isEqualTo(2_000);
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(PIECES);
  }

  /** It has lost what it had before it was promoted, and its master cannot give it again. */
  @Scenario(
      number = "11c",
      fault = "the replica, emptied, is promoted while users ask again",
      guards = "rebuild-taken")
  void an_empty_replica_that_is_promoted_is_rebuilt_before_it_issues_anything(Fault fault) {
    var pair = world.redisPair();
    pair.awaitReady();
    RedisServer old = pair.master();
    RedisServer promoted = pair.replica();

    RedisFaultIT.loseAllWhileUsersAskAgain(
        world,
        fault,
        () -> {
          pair.stall();
          pair.emptyReplica();
          old.pause();
          pair.awaitMaster(promoted);
          awaitServiceAt(promoted);
          old.resume();
          pair.awaitReady();
        });
  }

  /** Nobody is left at the old master who could still read there what was never passed on. */
  private static void awaitServiceAt(RedisServer master) {
    Await.until(
        LIMIT,
        "a service that has moved",
        () -> master.command("CLIENT", "LIST").contains("cmd=xreadgroup"));
  }

  private static void awaitSlotsOnlyTheMasterKnows(
      RedisServer master, RedisServer replica, String coupon) {
    Await.until(
        LIMIT,
        "claims that the replica does not have",
        () -> taken(master, coupon) > taken(replica, coupon) + MANY);
  }

  private static long taken(RedisServer redis, String coupon) {
    return redis
        .command("KEYS", "firstcome:{*}:coupon:" + coupon + ":ledger")
        .lines()
        .filter(key -> !key.isEmpty())
        .mapToLong(key -> Long.parseLong(redis.command("HLEN", key)))
        .sum();
  }
}
