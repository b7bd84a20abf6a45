package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.agent.HaltPoint;
import io.firstcome.systemtests.agent.HaltPoint.Moment;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Backlog;
import io.firstcome.systemtests.kit.EventListener;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One of two instances is frozen (SIGSTOP) where it holds what the other one needs. Its connections
 * stay open. The other one goes on, and the frozen one does no harm when it is continued.
 */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class FrozenInstanceIT {

  private static final String PERSISTENCE = "io.firstcome.adapter.persistence.";

  /**
   * With everything that the instance has in hand: the database ends its session after five
   * seconds, the broker its connection after up to nine, and what it has read from the log is
   * published by others after ten.
   */
  private static final Duration GOES_ON = Duration.ofSeconds(15);

  /** For what waits for the database alone. */
  private static final Duration GOES_ON_WITH_ROWS = Duration.ofSeconds(10);

  /** More than come while the instance goes to the point where it freezes. */
  private static final int ANY_NUMBER = 500_000;

  private static final int PIECES = 3_000;
  private static final int MANY = 2 * PIECES;

  private final World world = World.get();

  @Scenario(
      number = "38a",
      fault = "an instance is frozen (SIGSTOP) between a batch's statements and its commit",
      guards = "session-idle-limit")
  void rows_that_a_frozen_instance_has_locked_are_written_by_the_other(Fault fault) {
    var point = new HaltPoint(PERSISTENCE + "ClaimRecording", "record", Moment.EXIT, 1);
    try (var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(PIECES));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), frozen.process(), world.service());
      fault.struckAt(frozen.awaitHalt(), world, coupon);
      crowd.endsAfter(MANY);

      Await.until(
          GOES_ON,
          () -> "all rows written: " + backlog().counts(),
          () -> backlog().violations().isEmpty());
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(PIECES);
    }
  }

  private Backlog backlog() {
    return Backlog.read(world.redis(), world.amqp());
  }

  @Scenario(
      number = "38b",
      fault = "an instance is frozen (SIGSTOP) while it holds the epoch, then Redis is killed",
      guards = "session-idle-limit")
  void an_epoch_that_a_frozen_instance_holds_is_raised(Fault fault) {
    var point = new HaltPoint(PERSISTENCE + "Epochs", "hold", Moment.EXIT, 1);
    try (var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(PIECES));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), frozen.process(), world.service());
      fault.struckAt(frozen.awaitHalt(), world, coupon);
      world.redis().kill();
      fault.mend(world.redis()::restart);
      crowd.endsAfter(MANY);

      Await.until(GOES_ON_WITH_ROWS, "open partitions", world::isOpen);
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(PIECES);
    }
  }

  @Scenario(
      number = "38c",
      fault = "an instance is frozen (SIGSTOP) while it publishes events",
      guards = "session-idle-limit")
  void events_are_published_by_the_other_instance(Fault fault) {
    var point =
        new HaltPoint(
            "io.firstcome.adapter.rabbitmq.RabbitEventPublisher", "publish", Moment.ENTER, 1);
    try (var listener = EventListener.to(world.amqp(), "it.frozen-events", "#");
        var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(PIECES));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), frozen.process(), world.service());
      fault.struckAt(frozen.awaitHalt(), world, coupon);
      crowd.endsAfter(MANY);

      Await.until(
          GOES_ON,
          () -> "all issued coupons heard of: " + listener.userCoupons(),
          () -> listener.userCoupons() >= PIECES);
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(PIECES);
      assertThat(listener.storyOf(coupon)).containsExactly("sold-out");
    }
  }

  /** The other one sleeps until the first one has taken the right, which only then is frozen. */
  @Scenario(
      number = "38d",
      fault = "an instance is frozen (SIGSTOP) while it holds the right to recover",
      guards = "recovery-lease")
  void a_recovery_that_a_frozen_instance_has_begun_is_done_by_the_other(Fault fault) {
    var point =
        new HaltPoint(
            "io.firstcome.application.RecoverStock", "letRecordersEmptyTheQueue", Moment.ENTER, 1);
    try (var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(PIECES));
      var crowd =
          world
              .crowd(coupon, Users.some(MANY), frozen.process(), world.service())
              .awaitMidBurst(500);
      fault.strike(
          crowd,
          () -> {
            world.service().pause();
            world.redis().kill();
          });
      fault.mend(world.redis()::restart);
      frozen.awaitHalt();
      world.service().resume();

      Await.until(GOES_ON_WITH_ROWS, "open partitions", world::isOpen);
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(PIECES);
    }
  }
}
