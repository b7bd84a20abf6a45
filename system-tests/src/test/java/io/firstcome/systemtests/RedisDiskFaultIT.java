package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.AppendOnlyFile;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.Loss;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis loses the end of its append-only file, or has no space left. */
@ExtendWith(QuietLogs.class)
@Tag("faults")
class RedisDiskFaultIT {

  private static final Duration NOTICE_LIMIT = Duration.ofSeconds(30);
  private static final Pattern USED_MEMORY = Pattern.compile("used_memory:(\\d+)");

  /** Less than the remainder of a burst writes. */
  private static final long ROOM_BYTES = 20_000;

  private static final int CALLS_CUT_OFF = 5;

  /** After so many refused claims, each connection of a crowd was refused several times. */
  private static final int MANY_ROUNDS = 500;

  private final World world = World.behindProxies();

  /**
   * Three groups of claims: the first stays on disk; the second is truncated and has rows; the
   * third is truncated and lost, as the broker is unreachable and the service is killed too.
   */
  @Scenario(
      number = "8",
      fault =
          "power loss: Redis and the service killed, Redis' append-only file truncated to an"
              + " earlier size",
      guards = "fence-run")
  void a_power_loss_loses_only_claims_that_were_nowhere_else_and_issues_no_slot_twice(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(3_000));
    world.crowd(coupon, Users.some(500)).join();
    long kept = AppendOnlyFile.of(world).size();
    world.crowd(coupon, Users.some(500)).join();
    assertExact(world, coupon);
    world.links().amqp().refuse();
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(1_000);

    fault.strike(
        crowd,
        () -> {
          world.redis().kill();
          world.service().kill();
        });
    AppendOnlyFile.of(world).cutTo(kept);
    var rows = StoredCoupon.read(world.postgres(), coupon);
    long lostAt = awaitEarlierAnswers(coupon);
    fault.mend(() -> {
      world.redis().restart();
      world.links().amqp().heal();
      world.service().restart();
    });
    crowd.join();
    World.ready(world.service());

    var lost = acceptedBefore(lostAt, coupon);
    rows.rows().forEach(row -> lost.remove(row.user()));
    assertThat(lost).as("claims that only the record has").hasSizeGreaterThan(900);
    var stored = fault.exactBut(world, coupon, new Loss(lost, lostAt));
    assertThat(stored.liveRows()).isEqualTo(3_000);
    assertThat(acceptedWithoutRow(coupon, stored))
        .as("users who lost their claim")
        .containsExactlyInAnyOrderElementsOf(lost);
  }

  @Scenario(
      number = "9",
      fault = "Redis killed, its append-only file truncated in the middle of a claim call's writes",
      guards = "rebuild-ledger")
  void a_call_whose_writes_are_truncated_has_no_effect(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(6_000));
    world.links().amqp().refuse();
    var crowd = world.crowd(coupon, Users.some(5_000)).awaitMidBurst(1_000);

    fault.strike(crowd, world.redis()::kill);
    var cut = AppendOnlyFile.of(world).cutInside(coupon + ":ledger", CALLS_CUT_OFF);
    long lostAt = awaitEarlierAnswers(coupon);
    fault.mend(() -> {
      world.redis().restart();
      world.links().amqp().heal();
    });
    crowd.join();

    var lost = acceptedBefore(lostAt, coupon);
    lost.removeIf(user -> !cut.contains(user));
    assertThat(lost).as("claims of the truncated calls").isNotEmpty();
    var stored = fault.exactBut(world, coupon, new Loss(lost, lostAt));
    assertThat(acceptedWithoutRow(coupon, stored))
        .as("users who lost their claim")
        .containsExactlyInAnyOrderElementsOf(lost);
  }

  /** Removing recorded entries from the log frees memory again, so no operator action is needed. */
  @Scenario(
      number = "15a",
      fault = "Redis reaches `maxmemory` during a burst; the limit is removed later",
      guards = "make-room-always")
  void a_redis_without_memory_refuses_whole_calls_and_its_log_is_drained(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(4_000));
    var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(500);

    fault.strike(crowd, () -> maxMemory(usedMemory() / 2));
    awaitEarlierAnswers(coupon);
    Await.until(NOTICE_LIMIT, "the log drains", () -> entries() == 0);
    fault.mend(() -> maxMemory(0));
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(3_000);
    assertThat(world.record().claimsOf(coupon))
        .as("no claim has an unknown outcome")
        .noneSatisfy(claim -> assertThat(claim.outcome()).isEqualTo("outcome-unknown"));
  }

  /**
   * The operating system ends a process that writes beyond its file size limit; on ENOSPC Redis
   * exits.
   */
  @Scenario(
      number = "15b",
      fault =
          "Redis' append-only file reaches a size limit during a burst; Redis is restarted"
              + " without the limit",
      guards = "recover-other-run")
  void a_full_disk_ends_redis_and_leaves_no_partial_claim(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(4_000));
    var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(500);

    fault.strike(crowd, () -> limitFilesTo(AppendOnlyFile.of(world).size() + ROOM_BYTES));
    Await.until(NOTICE_LIMIT, "the Redis process has ended", () -> !world.redis().isAlive());
    fault.mend(world.redis()::restart);
    crowd.join();

    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(3_000);
  }

  /** Waits for the answers to calls from before the fault, and returns the time after them. */
  private long awaitEarlierAnswers(String coupon) {
    Await.until(
        NOTICE_LIMIT,
        "claims refused because of the fault",
        () ->
            world.record().claimsOf(coupon).stream()
                    .filter(claim -> claim.status() == 0 || claim.status() == 503)
                    .count()
                > MANY_ROUNDS);
    return System.nanoTime();
  }

  private long usedMemory() {
    var used = USED_MEMORY.matcher(world.redis().command("INFO", "memory"));
    assertThat(used.find()).isTrue();
    return Long.parseLong(used.group(1));
  }

  private void maxMemory(long bytes) {
    world.redis().command("CONFIG", "SET", "maxmemory", Long.toString(bytes));
  }

  private long entries() {
    return world
        .redis()
        .command("KEYS", "firstcome:{*}:handoff")
        .lines()
        .mapToLong(log -> Long.parseLong(world.redis().command("XLEN", log)))
        .sum();
  }

  private void limitFilesTo(long bytes) {
    try {
      var limit =
          new ProcessBuilder(
                  "prlimit", "--pid", Long.toString(world.redis().pid()), "--fsize=" + bytes)
              .inheritIO()
              .start();
      assertThat(limit.waitFor()).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while setting the file size limit", e);
    }
  }

  /** Users whose claim was answered as accepted before that moment. */
  private Set<String> acceptedBefore(long nanos, String coupon) {
    return world.record().claimsOf(coupon).stream()
        .filter(claim -> claim.isOk() && claim.endNanos() < nanos)
        .map(RecordedClaim::user)
        .collect(toCollection(HashSet::new));
  }

  private Set<String> acceptedWithoutRow(String coupon, StoredCoupon stored) {
    Set<String> accepted = new HashSet<>(acceptedBefore(Long.MAX_VALUE, coupon));
    stored.rows().forEach(row -> accepted.remove(row.user()));
    return accepted;
  }
}
