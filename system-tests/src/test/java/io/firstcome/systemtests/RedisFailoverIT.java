package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.server.RedisServer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Rooms;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.WaitingCrowd;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The Redis master is replaced by its replica, and becomes the master again. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(QuietLogs.class)
class RedisFailoverIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int MANY = 100;
  private static final int WAITING = 1_200;

  /** Enough slots that some are free when replication stalls, also on a busy machine. */
  private static final int QUANTITY = 40_000;

  private final World world = World.underSentinel("sentinel");

  @AfterAll
  void close() {
    world.close();
  }

  /**
   * The old master hangs; it keeps its memory, its script cache and the writes that it never
   * replicated.
   */
  @Scenario(
      number = "10",
      fault =
          "replication stalls, the master hangs, and the replica is promoted; then a failover back",
      guards = "claim-replica-wait")
  void a_promotion_and_the_failover_back_lose_no_answered_claim(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(QUANTITY));
    var pair = world.redisPair();
    RedisServer old = pair.master();
    RedisServer promoted = pair.replica();
    var crowd = world.crowd(coupon, Users.some(QUANTITY + 1_000)).awaitMidBurst(500);

    fault.strike(
        crowd,
        () -> {
          // The claims do not reach the database either.
          world.amqp().pause();
          pair.stall();
          // The first crowd retries claims that the replica may already have.
          world.crowdWithoutRetries(coupon, Users.some(2 * MANY));
          awaitClaimsOnlyTheMasterHas(old, promoted, coupon);
          old.pause();
        });
    pair.awaitMaster(promoted);
    fault.mend(world.amqp()::resume);
    awaitServiceAt(promoted);
    old.resume();
    crowd.join();
    assertThat(world.record().claimsOf(coupon))
        .as("claims that no replica has acknowledged")
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("outcome-unknown"));
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(QUANTITY);

    pair.awaitReady();
    var second = world.define(aCoupon().withTotal(2_000));
    var more = world.crowd(second, Users.some(4_000)).awaitMidBurst(500);
    fault.strike(more, pair::failOver);
    fault.healsAutomatically();
    more.join();

    assertThat(pair.master().port()).isEqualTo(old.port());
    assertThat(fault.exact(world, second).liveRows()).isEqualTo(2_000);
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(QUANTITY);
  }

  @Scenario(
      number = "51d",
      fault =
          "replication stalls while users join a waiting room, the master hangs, and the replica is"
              + " promoted",
      guards = "room-opened-above")
  void a_promotion_gives_no_number_of_a_waiting_room_twice(Fault fault) {
    promoteWhileUsersJoin(fault, "ADMIT");
  }

  @Scenario(
      number = "51e",
      fault = "the same with a waiting room that claims for its users",
      guards = "room-opened-above")
  void a_promotion_gives_no_number_of_a_room_that_claims_twice(Fault fault) {
    promoteWhileUsersJoin(fault, "CLAIM");
  }

  private void promoteWhileUsersJoin(Fault fault, String mode) {
    var pair = world.redisPair();
    pair.awaitReady();
    RedisServer old = pair.master();
    RedisServer promoted = pair.replica();
    var coupon =
        Rooms.define(
            world,
            aCoupon()
                .withTotal(WAITING / 2)
                .with(
                    "waitingRoom",
                    "{\"mode\":\"%s\",\"admissionsPerSecond\":100}".formatted(mode)));
    var crowd =
        WaitingCrowd.start(
                world, coupon, Users.some(WAITING), Duration.ofSeconds(8), world.servicePort())
            .awaitJoined(WAITING / 4);

    fault.strike(
        crowd,
        () -> {
          pair.stall();
          Await.until(
              LIMIT,
              "tickets that the replica does not have",
              () -> lastTicket(old, coupon) > lastTicket(promoted, coupon) + MANY / 2);
          old.pause();
        });
    pair.awaitMaster(promoted);
    awaitServiceAt(promoted);
    fault.healsAutomatically();
    old.resume();
    crowd.join();

    assertThat(crowd.violations()).isEmpty();
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(WAITING / 2);
    pair.awaitReady();
  }

  private static long lastTicket(RedisServer redis, String coupon) {
    return redis
        .command("KEYS", "firstcome:{*}:coupon:" + coupon + ":room")
        .lines()
        .filter(key -> !key.isEmpty())
        .mapToLong(key -> Long.parseLong(redis.command("HGET", key, "last")))
        .sum();
  }

  /** The replica loses its data before the promotion, and cannot resync from the frozen master. */
  @Scenario(
      number = "11c",
      fault = "an emptied replica is promoted while users repeat their claims",
      guards = "rebuild-taken")
  void a_promoted_empty_replica_is_rebuilt_before_it_issues_slots(Fault fault) {
    var pair = world.redisPair();
    pair.awaitReady();
    RedisServer old = pair.master();
    RedisServer promoted = pair.replica();

    RedisFaultIT.loseAllDataWhileUsersRetry(
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

  /** Afterwards no instance reads unreplicated entries from the old master. */
  private static void awaitServiceAt(RedisServer master) {
    Await.until(
        LIMIT,
        "the service uses the new master",
        () -> master.command("CLIENT", "LIST").contains("cmd=xreadgroup"));
  }

  private static void awaitClaimsOnlyTheMasterHas(
      RedisServer master, RedisServer replica, String coupon) {
    Await.until(
        LIMIT,
        "claims that the replica does not have",
        () -> allocated(master, coupon) > allocated(replica, coupon) + MANY);
  }

  private static long allocated(RedisServer redis, String coupon) {
    return redis
        .command("KEYS", "firstcome:{*}:coupon:" + coupon + ":ledger")
        .lines()
        .filter(key -> !key.isEmpty())
        .mapToLong(key -> Long.parseLong(redis.command("HLEN", key)))
        .sum();
  }
}
