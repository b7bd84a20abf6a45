package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QueuedClaimMessages.Message;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Claim messages are delivered more than once, in any order, and to several recorders. */
@ExtendWith(QuietLogs.class)
class DeliveryFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Any value: the order must not matter. */
  private static final long SEED = 24;

  /** So many messages are merged into one message of some hundred claims. */
  private static final int MERGED = 30;

  private static final JsonMapper JSON = JsonMapper.shared();

  private final World world = World.behindProxies();

  /** Rows are compared including xmin, the id of the transaction that last wrote them. */
  @Tag("faults")
  @Scenario(
      number = "24",
      fault = "every message is delivered three more times, in random order",
      guards = "record-conflict")
  void repeated_deliveries_change_no_row(Fault fault) throws SQLException {
    var coupon = world.define(aCoupon().withTotal(2_000));
    var other = world.define(aCoupon().withTotal(2_000));
    try (var messages = QueuedClaimMessages.tapped(world.amqp())) {
      world.crowd(coupon, Users.some(3_000)).join();
      Await.until(LIMIT, "2,000 rows", () -> rows(coupon) == 2_000);
      var rows = versions(coupon);
      var copies = messages.copies();
      var crowd = world.crowd(other, Users.some(3_000)).awaitMidBurst(500);

      fault.strike(crowd, () -> messages.send(threeTimesShuffled(copies)));
      fault.healsAutomatically();
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

  /**
   * The queue is unbound, so no recorder gets the claims before both orders are sent together; each
   * idle recorder then takes one of them.
   */
  @Tag("faults")
  @Scenario(
      number = "27",
      fault = "two instances record the same claims in opposite order after the queue was unbound",
      guards = "record-sorted")
  void recorders_of_the_same_claims_do_not_deadlock(Fault fault) {
    try (ServiceProcess second = World.ready(world.start("second-recorder", Map.of()));
        var messages = QueuedClaimMessages.tapped(world.amqp())) {
      var coupon = world.define(aCoupon().withTotal(10_000));
      // The first publish of an instance binds the queue, so it must precede the unbinding.
      var crowd =
          world.crowd(coupon, Users.some(10_000), world.service(), second).awaitMidBurst(1_000);

      fault.strike(crowd, messages::unbindQueue);
      crowd.join();
      sendInBothOrders(messages, coupon);
      fault.mend(messages::bindQueue);

      assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(10_000);
    }
  }

  /**
   * Sends all published claims, some hundreds at a time; the recorders are idle before each send.
   */
  private void sendInBothOrders(QueuedClaimMessages messages, String coupon) {
    long deadlocksBefore = deadlocks();
    var copies = messages.copies();
    Set<String> users = new HashSet<>();
    for (int i = 0; i < copies.size(); i += MERGED) {
      var some = copies.subList(i, Math.min(i + MERGED, copies.size()));
      List<JsonNode> claims = new ArrayList<>();
      some.forEach(copy -> JSON.readTree(copy.body()).get("claims").forEach(claims::add));
      var forwards = withClaims(some.getFirst(), claims);
      var backwards = withClaims(some.getFirst(), claims.reversed());
      messages.send(List.of(forwards, backwards, backwards, forwards));
      claims.forEach(claim -> users.add(claim.get("userId").asString()));
      Await.until(
          LIMIT,
          users.size() + " rows",
          () -> rows(coupon) >= users.size() || deadlocks() > deadlocksBefore);
      assertThat(deadlocks() - deadlocksBefore).as("deadlocks").isZero();
    }
  }

  private Message withClaims(Message message, List<JsonNode> claims) {
    var content = (ObjectNode) JSON.readTree(message.body());
    content.putArray("claims").addAll(claims);
    return message.with(world.seals().seal(content.toString()));
  }

  private int rows(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).rows().size();
  }

  private List<String> versions(String coupon) throws SQLException {
    List<String> versions = new ArrayList<>();
    try (var connection = world.postgres().connect();
        var query =
            connection.prepareStatement(
                "SELECT slot || ':' || user_id || ':' || user_coupon.xmin FROM user_coupon"
                    + " JOIN coupon USING (coupon_number) WHERE coupon_id = ? ORDER BY slot")) {
      query.setString(1, coupon);
      try (var found = query.executeQuery()) {
        while (found.next()) {
          versions.add(found.getString(1));
        }
      }
    }
    return versions;
  }

  private long deadlocks() {
    try (var connection = world.postgres().connect();
        var query =
            connection.prepareStatement(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
        var found = query.executeQuery()) {
      found.next();
      return found.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
