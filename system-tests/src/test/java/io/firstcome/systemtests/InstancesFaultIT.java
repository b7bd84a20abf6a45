package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.agent.AgentArguments;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several instances of the service, some of them frozen, restarted, or with a wrong clock. */
@ExtendWith(QuietLogs.class)
class InstancesFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Enough users that the burst lasts until all recorders are busy. */
  private static final int MANY = 60_000;

  private static final Duration WRONG_BY = Duration.ofHours(1);

  private static final Duration MORE_THAN_THE_VALIDITY = Duration.ofDays(8);

  /** An instance records expiry when it starts, and every ten seconds. */
  private static final Duration UNTIL_EXPIRY_WAS_RECORDED = Duration.ofSeconds(11);

  private static final String REDEMPTIONS = "/api/v1/redemptions";

  /** Shorter than the timeout of a stock call. */
  private static final Duration HESITATION = Duration.ofMillis(500);

  /** Long enough for the calls that have waited. */
  private static final Duration BETWEEN = Duration.ofMillis(100);

  private final World world = World.get();

  /**
   * Both instances hold messages, as the database is unreachable; then one of them is frozen, and
   * continues with messages that the other one has recorded meanwhile.
   */
  @Tag("faults")
  @Scenario(
      number = "5",
      fault =
          "one of two instances is frozen (SIGSTOP) until the other one has recorded its claims,"
              + " then continued",
      guards = "record-conflict")
  void two_relays_of_the_same_entries_add_no_second_row(Fault fault) {
    var world = World.behindProxies();
    // Otherwise the broker would redeliver its messages to the other one before the sweep.
    var keepsMessages = Map.of("SPRING_RABBITMQ_REQUESTED_HEARTBEAT", "60s");
    try (ServiceProcess frozen = World.ready(world.start("frozen", keepsMessages));
        var messages = QueuedClaimMessages.at(world.amqp())) {
      var coupon = world.define(aCoupon().withTotal(MANY));
      var crowd = world.crowd(coupon, Users.some(MANY), frozen, world.service()).awaitMidBurst(100);
      double publishedBefore = publishedAgain(world);
      double recognizedBefore = recognized(world.service(), frozen);
      world.links().postgres().refuse();
      Await.until(LIMIT, "messages wait in the queue", () -> messages.waiting() > 0);

      fault.strike(crowd, frozen::pause);
      world.links().postgres().heal();
      Await.until(LIMIT, "entries published again", () -> publishedAgain(world) > publishedBefore);
      fault.mend(frozen::resume);
      crowd.join();
      Await.until(
          LIMIT,
          "rows recognized as already recorded",
          () -> recognized(world.service(), frozen) > recognizedBefore);

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(MANY);
    }
  }

  private static double publishedAgain(World world) {
    return World.metric(world.service(), "firstcome_handoff_published_total", "again=\"true\"");
  }

  private static double recognized(ServiceProcess... instances) {
    return Arrays.stream(instances)
        .mapToDouble(instance ->
            World.metric(instance, "firstcome_record_conflicts_total", "kind=\"already-recorded\""))
        .sum();
  }

  @Tag("faults")
  @Scenario(
      number = "31",
      fault = "the clocks of two instances are wrong by an hour, one ahead and one behind",
      guards = "claim-server-clock")
  void instances_with_wrong_clocks_agree_on_order_and_windows(Fault fault) {
    try (ServiceProcess ahead = startWithClockWrongBy("ahead", WRONG_BY);
        ServiceProcess behind = startWithClockWrongBy("behind", WRONG_BY.negated())) {
      World.ready(ahead);
      World.ready(behind);
      var open = world.define(aCoupon().withTotal(2_000).closingIn(WRONG_BY.dividedBy(2)));
      var later = world.define(aCoupon().openIn(WRONG_BY.dividedBy(2)));
      var over = world.define(aCoupon().closingIn(Duration.ofSeconds(-1)));

      var crowd = world.crowd(open, Users.some(4_000), ahead, behind);
      fault.isTheCrowd(crowd);
      crowd.join();
      world.crowd(later, Users.some(20), ahead, behind).join();
      world.crowd(over, Users.some(20), ahead, behind).join();

      assertThat(fault.exactInOrder(world, open).liveRows()).isEqualTo(2_000);
      assertThat(outcomes(open)).containsExactlyInAnyOrder("ACCEPTED", "sold-out");
      assertThat(outcomes(later)).containsExactly("not-open");
      assertThat(outcomes(over)).containsExactly("closed");
    }
  }

  /** User coupons are valid for another week, but by the wrong clock they have expired. */
  @Tag("faults")
  @Scenario(
      number = "40",
      fault = "an instance whose clock is eight days ahead, beside one whose clock is right",
      guards = "clock-of-the-database")
  void an_instance_with_a_clock_ahead_ends_no_validity_and_no_hold(Fault fault) {
    try (ServiceProcess ahead = startWithClockWrongBy("week-ahead", MORE_THAN_THE_VALIDITY)) {
      World.ready(ahead);
      var coupon = world.define(aCoupon().withTotal(500).with("validity", "{\"days\": 7}"));
      var users = Users.some(400);
      var crowd = world.crowd(coupon, users, ahead, world.service());
      fault.isTheCrowd(crowd);
      crowd.join();
      var stored = fault.exactInOrder(world, coupon);
      var ids = stored.rows().stream().map(StoredCoupon.Row::userCouponId).toList();

      assertThat(take(ahead, ids.get(0), "order-1", ",\"hold\":\"PT60S\"").status()).isEqualTo(201);
      assertThat(take(world.service(), ids.get(1), "order-1", ",\"hold\":\"PT60S\"").status())
          .isEqualTo(201);
      for (var instance : List.of(ahead, world.service())) {
        for (var held : ids.subList(0, 2)) {
          assertThat(take(instance, held, "order-2", "").problem())
              .isEqualTo("held-by-another-order");
        }
      }
      assertThat(take(ahead, ids.get(2), "order-1", "").status()).isEqualTo(201);
      assertThat(take(world.service(), ids.get(3), "order-1", "").status()).isEqualTo(201);
      assertThat(confirm(ahead, ids.get(1)).status()).isEqualTo(200);

      assertThat(World.metric(ahead, "firstcome_clock_ahead_seconds", "clock=\"this instance\""))
          .isGreaterThan(600_000);
      assertThat(doubts(ahead)).contains("the clock of this instance is 6912");
      assertThat(doubts(world.service())).doesNotContain("the clock of");
      Await.pause(UNTIL_EXPIRY_WAS_RECORDED);
      assertThat(states(coupon)).containsExactlyInAnyOrder("ISSUED", "HELD", "USED");
    }
  }

  private static String doubts(ServiceProcess instance) {
    return World.manage(instance, "/actuator/health/servers").body();
  }

  private static Answer take(ServiceProcess at, String userCoupon, String order, String hold) {
    var json =
        "{\"userCouponId\":\"%s\",\"orderId\":\"%s\",\"amount\":{\"minorUnits\":3000,\"currency\":\"EUR\"}%s}"
            .formatted(userCoupon, order, hold);
    return World.send(at, Call.of("POST", REDEMPTIONS).as("shop").shop().json(json));
  }

  private static Answer confirm(ServiceProcess at, String userCoupon) {
    var path = "%s/%s:order-1/confirmation".formatted(REDEMPTIONS, userCoupon);
    return World.send(at, Call.of("POST", path).as("shop").shop());
  }

  private Set<String> states(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).rows().stream()
        .map(StoredCoupon.Row::state)
        .collect(toSet());
  }

  private ServiceProcess startWithClockWrongBy(String name, Duration shift) {
    return world.startFaulty(name, AgentArguments.clockWrongBy(shift));
  }

  private Set<String> outcomes(String coupon) {
    return world.record().claimsOf(coupon).stream().map(RecordedClaim::outcome).collect(toSet());
  }

  /** As in a rolling deployment: an instance is stopped while the other one is ready. */
  @Tag("faults")
  @Scenario(
      number = "33",
      fault = "two instances restarted in turn (SIGTERM) under load",
      guards = "claim-graceful-stop")
  void a_rolling_restart_leaves_no_accepted_claim_unanswered(Fault fault) {
    try (ServiceProcess second = World.ready(world.start("second", Map.of()))) {
      var coupon = world.define(aCoupon().withTotal(100_000));
      var crowd =
          world.crowd(coupon, Users.some(30_000), world.service(), second).awaitMidBurst(500);

      fault.strike(crowd, () -> restartWithClaimsInFlight(second));
      restartWithClaimsInFlight(world.service());
      fault.healsAutomatically();
      crowd.join();

      assertThat(world.record().usersFirstAnsweredAsRepeated(coupon))
          .as("users whose accepted claim was not answered")
          .isEmpty();
      assertThat(
              world.record().claimsOf(coupon).stream()
                  .filter(claim -> claim.kind() != RecordedClaim.Kind.UNKNOWN)
                  .filter(claim -> claim.status() != 202 && claim.status() != 503))
          .as("answers that are neither 202 nor the 503 of a stopping instance")
          .isEmpty();
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(30_000);
    }
  }

  /**
   * Redis is frozen most of the time until the instance stops, so that claims are in flight then.
   */
  private void restartWithClaimsInFlight(ServiceProcess instance) {
    var restarting = CompletableFuture.runAsync(instance::restart);
    boolean hasStopped = false;
    while (!hasStopped) {
      world.redis().pause();
      try {
        hasStopped = Await.holdsWithin(HESITATION, () -> !Ports.isListening(instance.port()));
      } finally {
        world.redis().resume();
      }
      Await.pause(BETWEEN);
    }
    restarting.join();
    World.ready(instance);
  }
}
