package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.ApiDescription;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RandomCalls;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random requests to each operation, for -Dfirstcome.fuzz.seconds seconds. The seed is printed;
 * {@code -Dfirstcome.fuzz.seed} repeats the requests.
 */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class HttpSurfaceIT {

  private static final Duration LENGTH =
      Duration.ofSeconds(Long.getLong("firstcome.fuzz.seconds", 10));

  /** The problems of a 503: the request may be repeated. */
  private static final Set<String> DECLARED = Set.of("overloaded", "recovering", "outcome-unknown");

  private static final Set<Integer> NOT_SUPPORTED = Set.of(501, 505);

  private final World world = World.get();

  @Test
  void no_request_is_answered_with_an_undeclared_error() throws IOException {
    long seed = Long.getLong("firstcome.fuzz.seed", System.nanoTime());
    System.out.printf("fuzz: seed %d, %s%n", seed, LENGTH);
    var coupon = world.define(aCoupon());
    var claim = world.send(Call.claim(coupon).as(Users.one()).prefer("wait=10"));
    var userCoupon = claim.text("userCouponId");
    var variables =
        Map.of(
            "couponId",
            coupon,
            "userCouponId",
            userCoupon,
            "redemptionId",
            userCoupon + ":order",
            "orderId",
            "order");
    var calls = new RandomCalls(new SplittableRandom(seed), variables, aCoupon().json());
    var operations = ApiDescription.operations();
    long end = System.nanoTime() + LENGTH.toNanos();
    int sent = 0;
    int refused = 0;
    do {
      for (var operation : operations) {
        var call = calls.of(operation);
        var answer = world.send(call);
        assertDeclared(answer, "request %d of seed %d, %s".formatted(sent, seed, call));
        sent++;
        refused += answer.status() >= 400 ? 1 : 0;
      }
    } while (System.nanoTime() < end);

    System.out.printf("fuzz: %d requests, %d refused%n", sent, refused);
    assertThat(refused).as("most requests are wrong").isGreaterThan(sent / 2).isLessThan(sent);
    assertThat(Files.readString(world.service().logFile()))
        .doesNotContain("unexpected error while handling a request");
    var next = world.send(Call.claim(coupon).as(Users.one()).prefer("wait=10"));
    assertThat(next.status()).as(next.body()).isIn(201, 409);
  }

  private static void assertDeclared(Answer answer, String request) {
    var seen = "%s: %d %s".formatted(request, answer.status(), answer.body());
    if (answer.status() < 400) {
      return;
    }
    assertThat(answer.problem()).as(seen).isNotEmpty();
    assertThat(answer.body())
        .as(seen)
        .doesNotContain(
            "Exception", "io.firstcome", "org.springframework", "tools.jackson", "\tat ");
    if (answer.status() >= 500 && !NOT_SUPPORTED.contains(answer.status())) {
      assertThat(answer.status()).as(seen).isEqualTo(503);
      assertThat(DECLARED).as(seen).contains(answer.problem());
    }
  }
}
