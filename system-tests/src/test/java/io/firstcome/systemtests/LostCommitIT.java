package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CommitAfter;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The answers to callers when the database's commit replies are lost or it is unreachable. */
@ExtendWith(QuietLogs.class)
@Timeout(120)
class LostCommitIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final World world = World.behindProxies();
  private final String coupon = world.define(aCoupon());
  private final String own = issued();

  private String issued() {
    var claim = world.send(Call.claim(coupon).as("ann").prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  @AfterEach
  void heal() {
    world.links().postgres().heal();
    // Each kind of caller has its own connections, which are opened again when they are used.
    var coupons = Call.get("/api/v1/admin/coupons").operator();
    Await.until(LIMIT, "connections of operators", () -> world.send(coupons).status() == 200);
  }

  @Test
  void a_redemption_is_unknown_and_its_retry_gets_the_same_result() throws Exception {
    assertUnknown(withLostCommitReply(take("order-1"), "USED"));

    var again = settled(take("order-1"));
    assertThat(again.status()).as(again.body()).isEqualTo(200);
    assertThat(again.text("redemptionId")).isEqualTo(own + ":order-1");
    assertThat(again.text("state")).isEqualTo("CONFIRMED");
    assertProblem(settled(take("order-2")), 409, "already-used");
  }

  @Test
  void the_cancellation_of_a_redemption_is_unknown_and_its_retry_gets_the_same_result()
      throws Exception {
    assertThat(world.send(take("order-1")).status()).isEqualTo(201);
    var undo = Redemptions.undo(own, "order-1");

    assertUnknown(withLostCommitReply(undo, "ISSUED"));

    assertThat(settled(undo).status()).isEqualTo(204);
    assertThat(settled(take("order-2")).status()).isEqualTo(201);
  }

  @Test
  void a_return_is_unknown_and_its_retry_gets_the_same_result() throws Exception {
    var giveBack = Call.of("DELETE", "/api/v1/me/coupons/" + own).as("ann");

    assertUnknown(withLostCommitReply(giveBack, "RETURNED"));

    assertThat(settled(giveBack).status()).isEqualTo(204);
  }

  @Test
  void a_revocation_is_unknown_and_keeps_its_first_reason() throws Exception {
    assertUnknown(withLostCommitReply(revoke("stolen account"), "REVOKED"));

    assertThat(settled(revoke("another")).text("reason")).isEqualTo("stolen account");
  }

  @Test
  void a_call_while_the_database_is_unreachable_is_refused_without_effect() {
    world.links().postgres().refuse();

    var refused = world.send(take("order-1"));
    assertThat(refused.status()).as(refused.body()).isEqualTo(503);
    assertThat(refused.problem()).isEqualTo("recovering");
    assertThat(refused.text("detail")).contains("nothing happened");

    world.links().postgres().heal();
    assertThat(settled(take("order-1")).status()).isEqualTo(201);
  }

  private static void assertUnknown(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("outcome-unknown");
    assertThat(answer.text("detail")).contains("may have been executed", "Retry");
    assertThat(Integer.parseInt(answer.header("retry-after"))).isPositive();
  }

  /**
   * Sends the call until its commit takes place and the reply to the commit is lost. The first
   * change of user coupons that the proxy sees may be one of a background loop; the call then has
   * no effect and is repeated. All connections are reset first, so that the proxy has seen each
   * from its beginning.
   *
   * @param committed the state of the user coupon after the commit
   */
  private Answer withLostCommitReply(Call call, String committed) throws Exception {
    var postgres = world.links().postgres();
    long end = System.nanoTime() + LIMIT.toNanos();
    Answer answer;
    do {
      var over = new AtomicBoolean();
      postgres.swallowRepliesFrom(CommitAfter.statement("update \"user_coupon\""));
      postgres.reset();
      var sent = CompletableFuture.supplyAsync(() -> settled(call, over::get));
      Await.until(LIMIT, "a commit", postgres::isSwallowing);
      Await.holdsWithin(Duration.ofSeconds(1), () -> state().equals(committed));
      over.set(true);
      postgres.reset();
      answer = sent.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      postgres.heal();
    } while (!state().equals(committed) && System.nanoTime() - end < 0);
    assertThat(state()).isEqualTo(committed);
    return answer;
  }

  /** Read from the database, not from the service. */
  private String state() {
    return StoredCoupon.read(world.postgres(), coupon).rows().getFirst().state();
  }

  /** Repeats the call while it fails on a reset connection, and returns the first other answer. */
  private Answer settled(Call call) {
    long end = System.nanoTime() + LIMIT.toNanos();
    return settled(call, () -> System.nanoTime() - end >= 0);
  }

  /** Repeats the call while it is refused as recovering, until {@code over} is true. */
  private Answer settled(Call call, BooleanSupplier over) {
    var answer = world.send(call);
    while (answer.problem().equals("recovering") && !over.getAsBoolean()) {
      answer = world.send(call);
    }
    return answer;
  }

  private Call take(String order) {
    return Redemptions.use(own, order, 3_000);
  }

  private Call revoke(String reason) {
    return Call.of("POST", "/api/v1/admin/user-coupons/" + own + "/revocation")
        .operator()
        .json("{\"reason\":\"%s\"}".formatted(reason));
  }
}
