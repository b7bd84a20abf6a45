package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.DeadLetterCalls.PATH;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.ClaimMessages;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.DeadLetterCalls;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Dead letters are listed, read and replayed; a healthy one is recorded without an operator. */
@ExtendWith(QuietLogs.class)
class DeadLetterApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final World world = World.get();
  private final DeadLetterCalls letters = new DeadLetterCalls(world);

  @Test
  void an_unreadable_message_is_listed_unchanged_and_stays() {
    var body = world.seals().seal("{\"version\":99,\"of\":\"%s\"}".formatted(aCoupon().id()));
    publish(QueuedClaimMessages.QUEUE, body);

    var listed = awaitLetter(letter -> isBody(letter, body));
    assertThat(listed.path("reason").asString("")).isEqualTo("unknown version: 99");
    assertThat(listed.path("firstFailedAt").asString("")).isNotEmpty();
    assertThat(listed.has("claims")).isFalse();
    var id = listed.path("id").asLong();
    int attempts = letters.get(id).json().path("attempts").asInt();

    var refused = assertProblem(letters.replay(id), 409, "not-recorded");
    assertThat(refused.text("reason")).isEqualTo("unknown version: 99");
    assertThat(refused.json().path("attempts").asInt()).isGreaterThan(attempts);
    assertThat(isBody(letters.get(id).json(), body)).isTrue();
  }

  @Test
  void a_claim_of_an_unknown_coupon_becomes_a_dead_letter_and_is_recorded_when_replayed() {
    var coupon = aLastingCoupon();
    var known = world.define(aLastingCoupon());
    var poison = Users.one();
    var healthy = Users.one();
    publish(QueuedClaimMessages.QUEUE, authentic(coupon.id(), poison));
    publish(QueuedClaimMessages.QUEUE, authentic(known, healthy));

    var letter = awaitLetter(l -> l.path("couponId").asString("").equals(coupon.id()));
    assertThat(letter.path("reason").asString("")).isEqualTo("unknown coupon");
    assertThat(letter.path("entryId").asString("")).isEqualTo("1777626000123-0");
    assertThat(letter.path("acceptedAt").asString("")).isEqualTo("2026-05-01T09:00:00.123Z");
    assertThat(letter.path("claims").path(0).path("userId").asString("")).isEqualTo(poison);
    assertThat(letter.path("claims").path(0).path("slot").asInt()).isEqualTo(1);
    awaitIssued(known, healthy);
    var id = letter.path("id").asLong();
    // Dead letters are retried automatically, with growing delays.
    assertProblem(letters.replay(id), 409, "not-recorded");
    assertProblem(letters.replay(id), 409, "not-recorded");

    world.define(coupon);
    var replayed = letters.replay(id);

    assertThat(replayed.status()).as(replayed.body()).isEqualTo(200);
    assertThat(replayed.text("outcome")).isEqualTo("RECORDED");
    assertProblem(letters.get(id), 404, "unknown-dead-letter");
    assertProblem(letters.replay(id), 404, "unknown-dead-letter");
    awaitIssued(coupon.id(), poison);
    assertExactProof(coupon.id());
  }

  @Test
  void a_valid_message_that_was_delivered_too_often_is_replayed_automatically() {
    var coupon = world.define(aLastingCoupon());
    var user = Users.one();
    publish(QueuedClaimMessages.DEAD_LETTERS, authentic(coupon, user));

    awaitIssued(coupon, user);

    Await.until(LIMIT, "the dead letter is removed", () -> letters.of(coupon).isEmpty());
    assertExactProof(coupon);
  }

  @Test
  void a_forged_message_is_a_dead_letter_and_no_row() {
    var coupon = world.define(aLastingCoupon());
    var user = Users.one();
    var unsigned = ClaimMessages.unsigned(coupon, user);
    var altered = authentic(coupon, user).replace(user, Users.one());
    assertForged(QueuedClaimMessages.QUEUE, unsigned, "not authenticated");
    assertForged(QueuedClaimMessages.QUEUE, altered, "forged or altered");
    assertForged(QueuedClaimMessages.DEAD_LETTERS, unsigned + " ", "not authenticated");

    assertThat(StoredCoupon.read(world.postgres(), coupon).rows()).isEmpty();
    assertProblem(world.send(Call.status(coupon).as(user)), 404, "no-claim");
  }

  /** Neither its recording nor its replay makes a row. */
  private void assertForged(String queue, String body, String reason) {
    publish(queue, body);
    var letter = awaitLetter(one -> isBody(one, body));
    assertThat(letter.path("reason").asString("")).isEqualTo(reason);
    var refused = assertProblem(letters.replay(letter.path("id").asLong()), 409, "not-recorded");
    assertThat(refused.text("reason")).isEqualTo(reason);
  }

  @Test
  void a_message_that_no_replay_can_record_is_discarded() {
    var body = "forged " + Users.one();
    publish(QueuedClaimMessages.QUEUE, body);
    long id = awaitLetter(letter -> isBody(letter, body)).path("id").asLong();

    assertThat(letters.discard(id).status()).isEqualTo(204);

    assertProblem(letters.get(id), 404, "unknown-dead-letter");
    assertProblem(letters.discard(id), 404, "unknown-dead-letter");
  }

  @Test
  void a_claim_is_discarded_only_while_its_coupon_does_not_exist() {
    var coupon = aLastingCoupon();
    publish(QueuedClaimMessages.QUEUE, authentic(coupon.id(), Users.one()));
    var letter = awaitLetter(l -> l.path("couponId").asString("").equals(coupon.id()));
    long id = letter.path("id").asLong();

    assertThat(letters.discard(id).status()).isEqualTo(204);

    assertThat(letters.of(coupon.id())).isEmpty();
  }

  @Test
  void dead_letters_are_listed_in_pages() {
    var bodies = List.of("first", "second", "third").stream().map(n -> n + Users.one()).toList();
    for (var body : bodies) {
      publish(QueuedClaimMessages.QUEUE, body);
      awaitLetter(letter -> isBody(letter, body));
    }

    assertThat(letters.all(1)).extracting(letter -> letter.path("id").asLong()).isSorted();
    assertThat(letters.all(2))
        .filteredOn(letter -> bodies.stream().anyMatch(body -> isBody(letter, body)))
        .hasSize(3);
  }

  @Test
  void malformed_requests_are_refused() {
    for (var wrong : List.of("limit=0", "limit=101", "limit=-1", "limit=x", "after=0")) {
      assertProblem(send(Call.get(PATH + "?" + wrong)), 400, "malformed-request");
    }
    assertProblem(send(Call.get(PATH + "?after=x")), 400, "malformed-request");
    assertProblem(letters.get(Long.MAX_VALUE), 404, "unknown-dead-letter");
    for (var wrong : List.of("0", "-1", "x", "9".repeat(30))) {
      assertProblem(send(Call.get(PATH + "/" + wrong)), 404, "unknown-dead-letter");
      assertProblem(
          send(Call.of("POST", PATH + "/" + wrong + "/replay")), 404, "unknown-dead-letter");
    }
  }

  @Test
  void only_operators_are_permitted() {
    assertProblem(world.send(Call.get(PATH)), 403, "forbidden");
    assertProblem(world.send(Call.get(PATH + "/1")), 403, "forbidden");
    assertProblem(world.send(Call.of("POST", PATH + "/1/replay")), 403, "forbidden");
  }

  private String authentic(String couponId, String user) {
    return ClaimMessages.authentic(world, couponId, user);
  }

  private void publish(String queue, String body) {
    try (QueuedClaimMessages messages = QueuedClaimMessages.at(world.amqp())) {
      messages.put(queue, body);
    }
  }

  private Answer send(Call call) {
    return world.send(call.operator());
  }

  private static boolean isBody(JsonNode letter, String body) {
    return letter
        .path("body")
        .asString("")
        .equals(Base64.getEncoder().encodeToString(body.getBytes(UTF_8)));
  }

  private JsonNode awaitLetter(Predicate<JsonNode> which) {
    Await.until(LIMIT, "a dead letter", () -> letter(which).isPresent());
    return letter(which).orElseThrow();
  }

  private Optional<JsonNode> letter(Predicate<JsonNode> which) {
    return letters.all().stream().filter(which).findFirst();
  }

  /** Its user coupons are valid although the messages of this test have an old acceptance time. */
  private static CouponRequests aLastingCoupon() {
    return aCoupon().with("validity", "{\"until\":\"2100-01-01T00:00:00Z\"}");
  }

  private void awaitIssued(String couponId, String user) {
    Await.until(
        LIMIT,
        "a row",
        () -> world.send(Call.status(couponId).as(user)).text("state").equals("ISSUED"));
  }

  private void assertExactProof(String couponId) {
    var proof = world.send(Call.proof(couponId));
    assertThat(proof.json().path("exact").asBoolean()).as(proof.body()).isTrue();
  }
}
