package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
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

/** Redis is there, and cannot be reached or does not answer. */
@ExtendWith(QuietLogs.class)
class RedisNetworkFaultIT {

  private static final Duration NOTICE_LIMIT = Duration.ofSeconds(30);

  /** Longer than a call may take effect. */
  private static final Duration PAST_DEADLINE = Duration.ofSeconds(3);

  /** More than a call's deadline, and more than a caller waits for its answer. */
  private static final int UNANSWERED = 200;

  private final World world = World.behindProxies();

  /**
   * Who asks once, while Redis sleeps, is told that nobody knows; his call must come to nothing.
   */
  @Scenario(
      number = "12",
      fault = "Redis stopped (SIGSTOP) past every time-out, then continued",
      guards = "claim-deadline")
  void a_call_that_redis_wakes_up_to_after_its_deadline_is_refused(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(4_000));
    var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(500);
    var askingOnce = Users.some(100);

    fault.strike(crowd, world.redis()::pause);
    world.crowdAskingOnce(coupon, askingOnce).awaitEnd();
    awaitTold(coupon, "outcome-unknown", UNANSWERED);
    Await.pause(PAST_DEADLINE);
    fault.mend(world.redis()::resume);
    crowd.join();

    var stored = fault.exactInOrder(world, coupon);
    assertThat(stored.liveRows()).isEqualTo(3_000);
    assertNoRows(stored, askingOnce);
  }

  @Scenario(
      number = "13",
      fault = "Redis does what it is told, and its replies are lost",
      guards = "claim-ledger")
  void who_asks_again_after_a_lost_reply_gets_the_slot_that_was_his(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(4_000));
    var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(500);

    fault.strike(crowd, () -> world.links().redis().swallow(Way.REPLIES));
    awaitTold(coupon, "outcome-unknown", UNANSWERED);
    fault.mend(world.links().redis()::heal);
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(3_000);
    assertThat(world.record().usersFirstTold(coupon, "ALREADY_ISSUED"))
        .as("users whose claim was taken, and the reply lost")
        .isNotEmpty();
  }

  @Tag("faults")
  @Scenario(
      number = "14",
      fault = "a burst of users who ask once while Redis is unreachable",
      guards = "claim-refused-unsent")
  void a_burst_while_redis_is_away_is_refused_and_never_replayed(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(20_000));
    var crowd = world.crowd(coupon, Users.some(3_000)).awaitMidBurst(500);
    var askingOnce = Users.some(5_000);

    fault.strike(crowd, world.links().redis()::refuse);
    // A call that left before the service noticed is lost, and its users are told so.
    awaitTold(coupon, "recovering", 1);
    Crowd burst = world.crowdAskingOnce(coupon, askingOnce);
    burst.awaitEnd();
    fault.mend(world.links().redis()::heal);
    crowd.join();

    var stored = fault.exactInOrder(world, coupon);
    assertThat(stored.liveRows()).isEqualTo(3_000);
    assertNoRows(stored, askingOnce);
    assertThat(answersTo(coupon, askingOnce))
        .hasSameSizeAs(askingOnce)
        .allSatisfy(claim -> assertThat(claim.outcome()).isEqualTo("recovering"));
  }

  private void awaitTold(String coupon, String outcome, int users) {
    Await.until(
        NOTICE_LIMIT,
        () -> "%d told %s, of %s".formatted(users, outcome, told(coupon)),
        () -> told(coupon).getOrDefault(outcome, 0L) >= users);
  }

  private Map<String, Long> told(String coupon) {
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
        .as("rows of users who were never told that they have one")
        .noneSatisfy(row -> assertThat(users).contains(row.user()));
  }
}
