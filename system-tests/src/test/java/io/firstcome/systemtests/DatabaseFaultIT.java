package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.CommitAfter;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** PostgreSQL is unreachable, or its replies are lost. */
@ExtendWith(QuietLogs.class)
class DatabaseFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Longer than a recorder waits for a connection. */
  private static final Duration SOON = Duration.ofSeconds(5);

  private static final Duration ABSENCE = Duration.ofSeconds(60);

  /** Enough users that some claims have no row yet when a fault strikes for the second time. */
  private static final int MANY = 15_000;

  private final World world = World.behindProxies();

  @Scenario(
      number = "25a",
      fault = "PostgreSQL killed (SIGKILL) while batches are recorded, and restarted",
      guards = "record-until-done")
  void a_killed_database_loses_no_batch(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var crowd = world.crowd(coupon, Users.some(4_000)).awaitMidBurst(500);

    fault.strike(
        crowd,
        () -> {
          world.postgres().kill();
          Await.pause(SOON);
        });
    fault.mend(world.postgres()::restart);
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(2_000);
  }

  @Scenario(
      number = "25b",
      fault = "PostgreSQL commits a batch, and its reply is lost",
      guards = "record-conflict")
  void a_batch_whose_commit_reply_was_lost_is_recorded_once(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(MANY));
    var crowd = world.crowd(coupon, Users.some(MANY)).awaitMidBurst(500);
    double before = recognizedRows();

    fault.strike(
        crowd,
        () ->
            Await.until(
                LIMIT,
                "rows recognized as already recorded",
                () ->
                    losesTheReplyToACommit()
                        && Await.holdsWithin(SOON, () -> recognizedRows() > before)));
    fault.healsAutomatically();
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(MANY);
  }

  /**
   * Whether rows were committed, and the reply to the commit lost. Loops in the background commit
   * each second, too, so the commit must be on a connection that has inserted rows. All connections
   * are reset first, so that the proxy has seen each from its beginning.
   */
  private boolean losesTheReplyToACommit() {
    var postgres = world.links().postgres();
    postgres.swallowRepliesFrom(CommitAfter.statement("insert into \"user_coupon\""));
    postgres.reset();
    boolean lost = Await.holdsWithin(SOON, postgres::isSwallowing);
    // PostgreSQL executes the commit meanwhile; no recorder makes progress.
    Await.pause(Duration.ofSeconds(1));
    postgres.heal();
    return lost;
  }

  private double recognizedRows() {
    return World.metric(
        world.service(), "firstcome_record_conflicts_total", "kind=\"already-recorded\"");
  }

  /** No claim may become a dead letter. */
  @Tag("faults")
  @Scenario(
      number = "26",
      fault = "PostgreSQL unreachable for a minute",
      guards = "record-until-done")
  void a_long_database_outage_causes_no_dead_letter(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(5_000));
    var crowd = world.crowd(coupon, Users.some(6_000)).awaitMidBurst(500);

    fault.strike(crowd, world.links().postgres()::refuse);
    long until = System.nanoTime() + ABSENCE.toNanos();
    crowd.join();
    Await.pause(Duration.ofNanos(until - System.nanoTime()));
    fault.mend(world.links().postgres()::heal);

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(5_000);
    assertThat(world.record().claimsOf(coupon))
        .as("claims are answered without a database")
        .allSatisfy(claim -> assertThat(claim.status()).isLessThan(500).isPositive());
  }
}
