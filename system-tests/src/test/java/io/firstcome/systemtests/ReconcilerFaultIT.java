package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The reconciler compares during a burst, and one of two instances is killed meanwhile. */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(QuietLogs.class)
class ReconcilerFaultIT {

  private static final int KILLS = 3;

  private static final Duration TURNS_WITHIN = Duration.ofMinutes(1);

  private final World world = World.ofItsOwn("reconciler");

  @AfterAll
  void close() {
    world.close();
  }

  /**
   * A repair is a recovery, which raises an epoch: no epoch may change, as there is no discrepancy.
   */
  @Scenario(
      number = "30",
      fault =
          "two instances reconcile while RabbitMQ is frozen (SIGSTOP); one of them is killed"
              + " repeatedly",
      guards = "compare-log")
  void claims_in_flight_are_not_reported_as_discrepancies(Fault fault)
      throws SQLException, IOException {
    var before = epochs();
    var coupons = new String[KILLS];
    try (ServiceProcess second = World.ready(world.start("reconciler", Map.of()))) {
      for (int i = 0; i < KILLS; i++) {
        var coupon = world.define(aCoupon().withTotal(10_000));
        coupons[i] = coupon;
        var crowd =
            world.crowd(coupon, Users.some(10_000), world.service(), second).awaitMidBurst(5_000);
        fault.strike(
            crowd,
            () -> {
              world.amqp().pause();
              second.kill();
            });
        awaitComparisons(2 * (i + 1));
        fault.mend(world.amqp()::resume);
        second.restart();
        crowd.join();
        assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(10_000);
        World.ready(second);
      }
    }
    assertThat(epochs()).as("epochs of all partitions").isEqualTo(before);
    for (var log : world.logs()) {
      assertThat(Files.readAllLines(log))
          .noneSatisfy(line -> assertThat(line).contains("disagree").containsAnyOf(coupons));
    }
  }

  /** With twice as many comparisons as coupons, each coupon was compared. */
  private void awaitComparisons(int more) {
    double before = comparisons();
    Await.until(TURNS_WITHIN, "comparisons", () -> comparisons() >= before + more);
  }

  private double comparisons() {
    return World.metric(world.service(), "firstcome_comparison_seconds_count", "");
  }

  private Map<Integer, Long> epochs() throws SQLException {
    Map<Integer, Long> epochs = new TreeMap<>();
    try (var connection = world.postgres().connect();
        var query = connection.prepareStatement("SELECT partition_id, epoch FROM stock_partition");
        var found = query.executeQuery()) {
      while (found.next()) {
        epochs.put(found.getInt(1), found.getLong(2));
      }
    }
    return epochs;
  }
}
