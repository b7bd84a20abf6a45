package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.DeadLetterCalls;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.HaltedMethod;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims that cannot be recorded become dead letters, block no other claims, and are replayed. */
@ExtendWith(QuietLogs.class)
class DeadLetterFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int WAIT_SECONDS = 10;

  private static final int BATCH = 500;

  /** Enough users that some still claim when a slow fault takes effect. */
  private static final int MANY = 15_000;

  private static final int DELIVERY_LIMIT = 2;

  private final World world = World.behindProxies();
  private final DeadLetterCalls letters = new DeadLetterCalls(world);

  /**
   * The queue is unbound at first, so that the test can merge the claims of many messages into one
   * message, which is recorded as one batch.
   */
  @Tag("faults")
  @Scenario(
      number = "22",
      fault = "PostgreSQL rejects one claim of a batch of 500",
      guards = "record-isolate")
  void an_unrecordable_claim_is_the_only_dead_letter_of_its_batch(Fault fault) throws SQLException {
    var coupon = world.define(aCoupon().withTotal(BATCH));
    var other = world.define(aCoupon().withTotal(2_000));
    var users = Users.some(BATCH);
    var poison = users.get(BATCH / 3);
    var before = letters.all().size();
    try (var messages = QueuedClaimMessages.tapped(world.amqp());
        var claimant = world.claimant()) {
      // A new connection binds the queue, so the instance must connect before the unbinding.
      claimant.claim(other, Users.one(), WAIT_SECONDS);
      messages.copies();
      messages.unbindQueue();
      world.crowd(coupon, users).join();
      var batch = asOne(claimsOf(users, messages), poison);
      refuse(poison);
      var crowd = world.crowd(other, Users.some(MANY)).awaitMidBurst(500);
      assertThat(StoredCoupon.read(world.postgres(), coupon).rows()).isEmpty();

      fault.strike(crowd, () -> messages.send(List.of(batch)));
      Await.until(LIMIT, "a dead letter", () -> letters.all().size() > before);

      assertThat(letters.all()).hasSize(before + 1);
      assertThat(letters.of(coupon)).singleElement().satisfies(l -> assertHolds(l, poison));
      assertThat(StoredCoupon.read(world.postgres(), coupon).rows())
          .hasSize(BATCH - 1)
          .noneMatch(row -> row.user().equals(poison));

      messages.bindQueue();
      acceptAll();
      fault.healsAutomatically();
      crowd.join();
    } finally {
      acceptAll();
    }
    Await.until(LIMIT, "no dead letter", () -> letters.of(coupon).isEmpty());
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(BATCH);
    assertThat(fault.exact(world, other).liveRows()).isEqualTo(2_000);
  }

  private static void assertHolds(JsonNode letter, String user) {
    assertThat(letter.path("reason").asString()).isEqualTo("the database refuses it");
    assertThat(letter.path("claims").values())
        .extracting(claim -> claim.path("userId").asString())
        .containsExactly(user);
  }

  /** Waits until the copied messages contain the claims of all users, and returns them. */
  private static List<Message> claimsOf(List<String> users, QueuedClaimMessages messages) {
    List<Message> all = new ArrayList<>();
    Await.until(
        LIMIT,
        "messages with the claims of all users",
        () -> {
          all.addAll(messages.copies());
          return all.stream().mapToInt(message -> claims(content(message)).size()).sum()
              == users.size();
        });
    return all;
  }

  /**
   * One message with the claims of all messages and the other members of the message with the
   * user's claim.
   */
  private Message asOne(List<Message> messages, String user) {
    var holder =
        messages.stream()
            .filter(message -> message.body().contains(user))
            .findFirst()
            .orElseThrow();
    var content = content(holder);
    var claims = content.putArray("claims");
    messages.forEach(message -> claims.addAll(claims(content(message))));
    return holder.with(world.seals().seal(content.toString()));
  }

  private static ObjectNode content(Message message) {
    return (ObjectNode) JsonMapper.shared().readTree(message.body());
  }

  private static ArrayNode claims(ObjectNode content) {
    return (ArrayNode) content.get("claims");
  }

  private void refuse(String user) throws SQLException {
    change("ADD CONSTRAINT poison CHECK (user_id <> '%s') NOT VALID".formatted(user));
  }

  private void acceptAll() throws SQLException {
    change("DROP CONSTRAINT IF EXISTS poison");
  }

  private void change(String alteration) throws SQLException {
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute("ALTER TABLE user_coupon " + alteration);
    }
  }

  /**
   * The world's own instance cannot reach the broker meanwhile, so only the other instance
   * publishes and records its claims, and dead letters are not fetched. The low delivery limit
   * keeps the number of crashes small.
   */
  @Tag("faults")
  @Scenario(
      number = "23",
      fault = "the only recorder crashes at every delivery until the delivery limit is exceeded",
      guards = {"listen-dead-letters", "replay-due"})
  void messages_whose_recorder_crashed_too_often_are_replayed(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(2_000));
    setDeliveryLimit(DELIVERY_LIMIT);
    try (var messages = QueuedClaimMessages.at(world.amqp());
        var recorder = haltedRecorder()) {
      world.links().amqp().refuse();
      var crowd = world.crowd(coupon, Users.some(MANY));
      fault.struckAt(recorder.awaitHalt(), world, coupon);
      for (int i = 0; i < DELIVERY_LIMIT; i++) {
        recorder.restart();
        recorder.awaitHalt();
      }
      Await.until(LIMIT, "dead-lettered messages", () -> messages.deadLettered() > 0);
      crowd.join();

      fault.mend(world.links().amqp()::heal);
      Await.until(LIMIT, "dead letters", () -> !letters.of(coupon).isEmpty());
    } finally {
      world.amqp().control("clear_policy", "impatient");
    }
    Await.until(LIMIT, "no dead letters", () -> letters.of(coupon).isEmpty());
    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(2_000);
  }

  private void setDeliveryLimit(int deliveries) {
    world
        .amqp()
        .control(
            "set_policy",
            "--apply-to",
            "queues",
            "impatient",
            "^" + QueuedClaimMessages.QUEUE + "$",
            "{\"delivery-limit\":%d}".formatted(deliveries));
  }

  private HaltedInstance haltedRecorder() {
    return HaltedInstance.at(
        world,
        HaltedMethod.RECEIVE_CLAIMS.entered(1),
        Map.of("SPRING_RABBITMQ_PORT", Integer.toString(world.amqp().port())));
  }
}
