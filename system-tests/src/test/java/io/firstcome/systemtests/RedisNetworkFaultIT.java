package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Crowd;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.TcpProxy.Way;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis runs, but is unreachable or does not reply. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class RedisNetworkFaultIT {

  /**
   * Much longer than it takes, and less than the time after which a buffered call fails and its
   * connection is closed.
   */
  private static final Duration CLOSED_SOCKET_IS_NOTICED = Duration.ofSeconds(1);

  /**
   * A call that is written at the moment in which the socket closes can be lost; claims then wait
   * for its timeout. That happens rarely, so several times in a row mean that calls are buffered.
   */
  private static final int LOST_CALLS = 3;

  /** More users than can claim until the burst is over; {@link Crowd#endsAfter} ends them. */
  private static final int ANY_NUMBER = 500_000;

  private static final int MANY = 3_000;

  private static final Duration NOTICE_LIMIT = Duration.ofSeconds(30);

  /** Longer than the deadline of a call. */
  private static final Duration PAST_DEADLINE = Duration.ofSeconds(3);

  /**
   * Fewer than the crowd has connections. Each of them has a claim in flight when the fault
   * strikes; after the first timeouts the service is disconnected and refuses claims without a
   * call.
   */
  private static final int UNANSWERED = 100;

  private final World world = World.behindProxies();

  /**
   * Users without retries get an unknown outcome while Redis is frozen; their calls must have no
   * effect.
   */
  @Scenario(
      number = "12",
      fault = "Redis frozen (SIGSTOP) for longer than every timeout, then continued",
      guards = "claim-deadline")
  void a_call_that_redis_receives_after_its_deadline_is_refused(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(4_000));
    var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(500);
    var withoutRetries = Users.some(100);

    fault.strike(crowd, world.redis()::pause);
    world.crowdWithoutRetries(coupon, withoutRetries).awaitEnd();
    awaitOutcomes(coupon, "outcome-unknown", UNANSWERED);
    Await.pause(PAST_DEADLINE);
    fault.mend(world.redis()::resume);
    crowd.endsAfter(MANY).join();

    var stored = fault.exactInOrder(world, coupon);
    assertThat(stored.liveRows()).isEqualTo(crowd.answered());
    assertNoRows(stored, withoutRetries);
  }

  @Scenario(
      number = "13",
      fault = "Redis executes all calls, and its replies are lost",
      guards = "claim-ledger")
  void a_retry_after_a_lost_reply_gets_the_same_slot(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(4_000));
    var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(500);

    fault.strike(crowd, () -> world.links().redis().swallow(Way.REPLIES));
    awaitOutcomes(coupon, "outcome-unknown", UNANSWERED);
    fault.mend(world.links().redis()::heal);
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(3_000);
    assertThat(world.record().usersFirstAnsweredAsRepeated(coupon))
        .as("users whose claim was accepted and whose reply was lost")
        .isNotEmpty();
  }

  @Tag("faults")
  @Scenario(
      number = "14",
      fault = "a burst of users without retries while Redis is unreachable",
      guards = "claim-refused-unsent")
  void a_burst_while_redis_is_unreachable_is_refused_and_never_replayed(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(ANY_NUMBER));
    var crowd = world.crowd(coupon, Users.some(ANY_NUMBER)).awaitMidBurst(500);
    var withoutRetries = Users.some(5_000);

    fault.strike(crowd, world.links().redis()::refuse);
    // Calls sent before the service notices the fault have an unknown outcome.
    for (int lost = 1; !isNoticed(coupon); lost++) {
      assertThat(lost).as("calls lost with their socket").isLessThan(LOST_CALLS);
      world.links().redis().heal();
      awaitOutcomes(coupon, "ACCEPTED", count(coupon, "ACCEPTED") + 500);
      world.links().redis().refuse();
    }
    Crowd burst = world.crowdWithoutRetries(coupon, withoutRetries);
    burst.awaitEnd();
    fault.mend(world.links().redis()::heal);
    crowd.endsAfter(MANY).join();

    var stored = fault.exactInOrder(world, coupon);
    assertThat(stored.liveRows()).isEqualTo(crowd.answered());
    assertNoRows(stored, withoutRetries);
    assertThat(answersTo(coupon, withoutRetries))
        .hasSameSizeAs(withoutRetries)
        .allSatisfy(claim -> assertThat(claim.outcome()).isEqualTo("recovering"));
  }

  private boolean isNoticed(String coupon) {
    long before = count(coupon, "recovering");
    return Await.holdsWithin(CLOSED_SOCKET_IS_NOTICED, () -> count(coupon, "recovering") > before);
  }

  private void awaitOutcomes(String coupon, String outcome, long count) {
    Await.until(
        NOTICE_LIMIT,
        () -> "%d answers %s, got %s".formatted(count, outcome, outcomeCounts(coupon)),
        () -> count(coupon, outcome) >= count);
  }

  private long count(String coupon, String outcome) {
    return outcomeCounts(coupon).getOrDefault(outcome, 0L);
  }

  private Map<String, Long> outcomeCounts(String coupon) {
    return world.record().claimsOf(coupon).stream()
        .collect(groupingBy(RecordedClaim::outcome, counting()));
  }

  private List<RecordedClaim> answersTo(String coupon, List<String> users) {
    return world.record().claimsOf(coupon).stream()
        .filter(claim -> users.contains(claim.user()))
        .toList();
  }

  private static void assertNoRows(StoredCoupon stored, List<String> users) {
    assertThat(stored.rows())
        .as("rows of users whose claim was never answered as accepted")
        .noneSatisfy(row -> assertThat(users).contains(row.user()));
  }
}
