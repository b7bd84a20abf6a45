package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.EventListener;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.HaltedMethod;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One of two instances is frozen (SIGSTOP) while it holds a resource that the other one needs. Its
 * connections stay open. The other one takes over, and the frozen one does no harm when it is
 * continued.
 */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class FrozenInstanceIT {

  /**
   * Until the other instance has recorded all claims: the database ends the session after five
   * seconds, the broker closes the connection after up to nine, and others publish the entries that
   * were read from the log again after ten.
   */
  private static final Duration CONTINUES_WITHIN = Duration.ofSeconds(15);

  /** The same, and then a recovery, which reads the rows of all coupons of the world. */
  private static final Duration RECOVERED_WITHIN = Duration.ofSeconds(40);

  /** More users than claim before the instance reaches the point where it freezes. */
  private static final int ANY_NUMBER = 500_000;

  private static final int QUANTITY = 3_000;
  private static final int MANY = 2 * QUANTITY;

  private final World world = World.get();

  @Scenario(
      number = "38a",
      fault = "an instance is frozen (SIGSTOP) between a batch's statements and its commit",
      guards = "session-idle-limit")
  void rows_locked_by_a_frozen_instance_are_written_by_the_other_instance(Fault fault) {
    var point = HaltedMethod.WRITE_ROWS.returned(1);
    try (var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), frozen.process(), world.service());
      fault.struckAt(frozen.awaitHalt(), world, coupon);
      crowd.endsAfter(MANY);

      Await.until(
          CONTINUES_WITHIN,
          () -> "all rows written: " + rows(coupon),
          () -> rows(coupon) == QUANTITY);
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
    }
  }

  private long rows(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).liveRows();
  }

  @Scenario(
      number = "38b",
      fault =
          "an instance is frozen (SIGSTOP) while it holds a lock on the epoch, then Redis is"
              + " killed",
      guards = "session-idle-limit")
  void an_epoch_that_a_frozen_instance_holds_is_raised(Fault fault) {
    var point = HaltedMethod.HOLD_EPOCHS.returned(1);
    try (var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), frozen.process(), world.service());
      fault.struckAt(frozen.awaitHalt(), world, coupon);
      world.redis().kill();
      fault.mend(world.redis()::restart);
      crowd.endsAfter(MANY);

      Await.until(RECOVERED_WITHIN, "open partitions", world::isOpen);
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(QUANTITY);
    }
  }

  @Scenario(
      number = "38c",
      fault = "an instance is frozen (SIGSTOP) while it publishes events",
      guards = "session-idle-limit")
  void events_are_published_by_the_other_instance(Fault fault) {
    var point = HaltedMethod.PUBLISH_EVENTS.entered(1);
    try (var listener = EventListener.to(world.amqp(), "it.frozen-events", "#");
        var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER), frozen.process(), world.service());
      fault.struckAt(frozen.awaitHalt(), world, coupon);
      crowd.endsAfter(MANY);

      Await.until(
          CONTINUES_WITHIN,
          () -> "events of all issued user coupons: " + listener.userCoupons(),
          () -> listener.userCoupons() >= QUANTITY);
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
      Await.until(
          CONTINUES_WITHIN, "the events of the coupon", () -> listener.storyOf(coupon).size() == 3);
      assertThat(listener.storyOf(coupon))
          .containsExactlyInAnyOrder("share-issued", "share-issued", "sold-out");
    }
  }

  /** No claim is accepted between the check that there is none and the commit of the edit. */
  @Scenario(
      number = "47",
      fault = "an instance is frozen (SIGSTOP) while it edits a coupon that nobody has claimed",
      guards = "edit-unfinished")
  void a_coupon_whose_editor_is_frozen_can_be_claimed_and_is_not_edited_later(Fault fault) {
    var point = HaltedMethod.EDIT_COUPON.entered(1);
    try (var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
      var path = "/api/v1/admin/coupons/" + coupon;
      var edit =
          Call.of("PATCH", path).operator().header("If-Match: \"1\"").json("{\"totalQuantity\":1}");
      var edited = CompletableFuture.supplyAsync(() -> World.send(frozen.process(), edit));
      frozen.awaitHalt();
      var crowd = world.crowd(coupon, Users.some(ANY_NUMBER));
      fault.isTheCrowd(crowd);
      crowd.endsAfter(MANY);

      Await.until(
          CONTINUES_WITHIN, () -> "accepted claims: " + rows(coupon), () -> rows(coupon) > 0);
      assertThat(frozen.isFrozen()).isTrue();
      crowd.join();
      frozen.thaw();

      assertThat(edited.join().status()).isEqualTo(412);
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(QUANTITY);
    }
  }

  /**
   * The world's own instance is frozen until the other one holds the recovery lease and is frozen
   * there.
   */
  @Scenario(
      number = "38d",
      fault = "an instance is frozen (SIGSTOP) while it holds the recovery lease",
      guards = "recovery-lease")
  void a_recovery_begun_by_a_frozen_instance_is_completed_by_the_other_instance(Fault fault) {
    var point = HaltedMethod.DRAIN_QUEUE.entered(1);
    try (var frozen = HaltedInstance.frozenAt(world, point)) {
      var coupon = world.define(aCoupon().withTotal(QUANTITY));
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

      Await.until(RECOVERED_WITHIN, "open partitions", world::isOpen);
      assertThat(frozen.isFrozen()).isTrue();
      frozen.thaw();
      crowd.join();

      assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(QUANTITY);
    }
  }
}
