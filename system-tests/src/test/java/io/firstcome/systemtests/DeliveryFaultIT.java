package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.ClaimMessages;
import io.firstcome.systemtests.kit.ClaimMessages.Message;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Claim messages come more than once, in any order, and to several recorders. */
@ExtendWith(QuietLogs.class)
class DeliveryFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Any: the order must not matter. */
  private static final long SEED = 24;

  private final World world = World.behindProxies();

  /** Rows are compared with the number of the transaction that last touched them. */
  @Tag("faults")
  @Scenario(
      number = "24",
      fault = "every message delivered three times more, shuffled",
      guards = "record-conflict")
  void what_is_delivered_again_and_again_changes_no_row(Fault fault) throws SQLException {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var other = world.define(aCoupon().withTotal(2_000));
    try (var messages = ClaimMessages.tapped(world.amqp())) {
      world.crowd(coupon, Users.some(3_000)).join();
      awaitRows(coupon, 2_000);
      var rows = versions(coupon);
      var copies = messages.copies();
      var crowd = world.crowd(other, Users.some(3_000)).awaitMidBurst(500);

      fault.strike(crowd, () -> messages.send(threeTimesShuffled(copies)));
      fault.healsByItself();
      crowd.join();

      assertThat(fault.exactInOrder(world, other).liveRows()).isEqualTo(2_000);
      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(2_000);
      assertThat(versions(coupon)).isEqualTo(rows);
    }
  }

  private static List<Message> threeTimesShuffled(List<Message> messages) {
    List<Message> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.addAll(messages);
    }
    Collections.shuffle(all, new Random(SEED));
    return all;
  }

  /** The database is away until both orders of each batch wait for the recorders. */
  @Tag("faults")
  @Scenario(number = "27", fault = "two instances record the same claims in opposite order")
  void recorders_of_the_same_claims_do_not_wait_for_each_other_in_a_ring(Fault fault)
      throws SQLException {
    long before = deadlocks();
    try (ServiceProcess second = World.ready(world.start("second-recorder", Map.of()));
        var messages = ClaimMessages.tapped(world.amqp())) {
      var coupon = world.define(aCoupon().withTotal(10_000));
      var crowd =
          world.crowd(coupon, Users.some(10_000), world.service(), second).awaitMidBurst(500);
      world.links().postgres().refuse();

      fault.strike(crowd, () -> sendBackwards(messages));
      crowd.join();
      sendBackwards(messages);
      fault.mend(world.links().postgres()::heal);

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(10_000);
    }
    assertThat(deadlocks() - before).as("deadlocks").isZero();
  }

  /** What has been sent so far, from the last claim to the first. */
  private void sendBackwards(ClaimMessages messages) {
    var copies = messages.copies().reversed();
    messages.send(copies.stream().map(DeliveryFaultIT::backwards).toList());
  }

  private static Message backwards(Message message) {
    var content = (ObjectNode) JsonMapper.shared().readTree(message.body());
    var claims = (ArrayNode) content.get("claims");
    var reversed = content.putArray("claims");
    for (int i = claims.size() - 1; i >= 0; i--) {
      reversed.add(claims.get(i));
    }
    return message.with(content.toString());
  }

  private void awaitRows(String coupon, int rows) {
    Await.until(
        LIMIT,
        rows + " rows",
        () -> {
          try {
            return versions(coupon).size() == rows;
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private List<String> versions(String coupon) throws SQLException {
    List<String> versions = new ArrayList<>();
    try (var connection = world.postgres().connect();
        var query =
            connection.prepareStatement(
                "SELECT slot || ':' || user_id || ':' || xmin FROM user_coupon"
                    + " WHERE coupon_id = ? ORDER BY slot")) {
      query.setString(1, coupon);
      try (var found = query.executeQuery()) {
        while (found.next()) {
          versions.add(found.getString(1));
        }
      }
    }
    return versions;
  }

  private long deadlocks() throws SQLException {
    try (var connection = world.postgres().connect();
        var query =
            connection.prepareStatement(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
        var found = query.executeQuery()) {
      found.next();
      return found.getLong(1);
    }
  }
}
