package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A user coupon is held by one order for two seconds, and two hundred other orders request it
 * without a pause, from before the end of the hold until after it. The service uses this machine's
 * clock.
 */
@ExtendWith(QuietLogs.class)
@Timeout(120)
class HoldEndIT {

  private static final int CALLERS = 200;
  private static final int ROUNDS = 3;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String PATH = "/api/v1/redemptions";

  private final World world = World.get();
  private final String coupon = world.define(aCoupon());
  private final String customer = Users.one();
  private final String id = issue();
  private final Instant end = hold();

  private String issue() {
    var claim = world.send(Call.claim(coupon).as(customer).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  private Instant hold() {
    var held = take("holder", ",\"hold\":\"PT2S\"");
    assertThat(held.status()).as(held.body()).isEqualTo(201);
    return Instant.parse(held.text("heldUntil"));
  }

  private Answer take(String order, String hold) {
    var json =
        "{\"userCouponId\":\"%s\",\"orderId\":\"%s\",\"amount\":{\"minorUnits\":3000,\"currency\":\"EUR\"}%s}"
            .formatted(id, order, hold);
    return world.send(Call.of("POST", PATH).as("shop").shop().json(json));
  }

  private Answer confirm() {
    var path = PATH + "/" + id + ":holder/confirmation";
    return world.send(Call.of("POST", path).as("shop").shop());
  }

  /**
   * The answers that one caller got.
   *
   * @param before answers received before the end of the hold
   * @param last the first 201, or the answer to a call that began after the end
   */
  private record Replies(List<Answer> before, Answer last) {}

  private List<Future<Replies>> startCallers(ExecutorService threads) {
    var callers = new ArrayList<Future<Replies>>();
    for (int i = 0; i < CALLERS; i++) {
      var order = "order-" + i;
      callers.add(threads.submit(() -> requestUntilAfterTheEnd(() -> take(order, ""))));
    }
    return callers;
  }

  private Replies requestUntilAfterTheEnd(Supplier<Answer> call) {
    var before = new ArrayList<Answer>();
    while (Instant.now().isBefore(end)) {
      var answer = Answer.whenHandled(call);
      if (answer.status() == 201) {
        return new Replies(before, answer);
      }
      if (Instant.now().isBefore(end)) {
        before.add(answer);
      }
    }
    return new Replies(before, Answer.whenHandled(call));
  }

  /** The callers' last answers; checks that all earlier ones were refused because of the hold. */
  private static List<Answer> lastAnswers(List<Future<Replies>> callers) throws Exception {
    var last = new ArrayList<Answer>();
    int refusedBefore = 0;
    for (var caller : callers) {
      var answers = caller.get();
      answers.before().forEach(answer -> assertProblem(answer, 409, "held-by-another-order"));
      refusedBefore += answers.before().isEmpty() ? 0 : 1;
      last.add(answers.last());
    }
    assertThat(refusedBefore).as("callers before the end").isGreaterThan(CALLERS / 20);
    return last;
  }

  private static List<Answer> winners(List<Answer> answers) {
    return answers.stream().filter(answer -> answer.status() == 201).toList();
  }

  private static void assertOthersAreTooLate(List<Answer> answers) {
    answers.stream()
        .filter(answer -> answer.status() != 201)
        .forEach(answer -> assertProblem(answer, 409, "already-used"));
  }

  @Test
  void no_other_order_succeeds_before_the_hold_ends_and_exactly_one_after_it() throws Exception {
    List<Answer> answers;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      answers = lastAnswers(startCallers(threads));
    }

    assertThat(winners(answers)).hasSize(1);
    assertThat(Instant.parse(winners(answers).getFirst().text("usedAt"))).isAfterOrEqualTo(end);
    assertOthersAreTooLate(answers);
    assertProblem(confirm(), 409, "already-used");
    assertThat(order()).isEqualTo(winners(answers).getFirst().text("orderId"));
  }

  /** Each round sends the confirmation closer to the end of the hold. */
  @RepeatedTest(ROUNDS)
  void of_all_orders_and_the_confirmation_at_the_end_of_the_hold_exactly_one_succeeds(
      RepetitionInfo round) throws Exception {
    var millisBefore = 20 * (ROUNDS - round.getCurrentRepetition());
    List<Answer> answers;
    Answer confirmation;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var callers = startCallers(threads);
      var moment = end.minusMillis(millisBefore);
      Await.until(LIMIT, "the moment of the confirmation", () -> Instant.now().isAfter(moment));
      confirmation = Answer.whenHandled(this::confirm);
      answers = lastAnswers(callers);
    }

    boolean confirmed = confirmation.status() == 200;
    assertThat(winners(answers)).hasSize(confirmed ? 0 : 1);
    assertOthersAreTooLate(answers);
    if (confirmed) {
      assertThat(Instant.parse(confirmation.text("usedAt"))).isBefore(end);
      assertThat(order()).isEqualTo("holder");
    } else {
      assertThat(confirmation.status()).as(confirmation.body()).isEqualTo(409);
      assertThat(order()).isEqualTo(winners(answers).getFirst().text("orderId"));
    }
  }

  /** The order that has used the user coupon. */
  private String order() {
    var read = world.send(Call.get("/api/v1/me/coupons/" + id).as(customer));
    assertThat(read.text("state")).as(read.body()).isEqualTo("USED");
    return read.json().path("redemption").path("orderId").asString();
  }
}
