package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.ConsoleVisitor;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators see while a server is away. */
@Tag("faults")
class ConsoleFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final World world = World.get();
  private String coupon = "";
  private ConsoleVisitor operator = new ConsoleVisitor("", "");

  @BeforeEach
  void signIn() {
    coupon = world.define(CouponRequests.aCoupon());
    operator = ConsoleVisitor.signedIn(world, "operator");
  }

  private Answer page(String path) {
    return world.send(operator.get(path));
  }

  private String state(String subject) {
    var answer = world.send(Call.get("/api/v1/admin/readiness").operator());
    return StreamSupport.stream(answer.json().path("checks").spliterator(), false)
        .filter(check -> check.path("subject").asString().equals(subject))
        .map(check -> check.path("state").asString())
        .findFirst()
        .orElse("NONE");
  }

  private void awaitState(String subject, String state) {
    Await.until(LIMIT, subject + " " + state, () -> state(subject).equals(state));
  }

  /** All pages are shown, also where something on them is not known. */
  private void assertShown(int status, List<String> paths) {
    for (var path : paths) {
      var answer = page(path);
      assertThat(answer.status()).as(path).isEqualTo(status);
      assertThat(answer.header("content-type")).startsWith("text/html");
    }
  }

  private List<String> pagesOfCoupon() {
    var path = "/console/coupons/" + coupon;
    return List.of("/console/coupons", path, path + "/live", path + "/edit", "/console/incidents");
  }

  @Test
  void while_redis_is_away_pages_say_that_slots_are_not_known_and_a_drop_is_not_ready() {
    awaitState("PARTITIONS", "READY");
    world.redis().kill();
    try {
      awaitState("PARTITIONS", "NOT_READY");
      awaitState("MEMORY", "NOT_READY");
      assertThat(page("/console/coupons/" + coupon).body()).contains("not known");
      assertThat(page("/console/ready").body()).contains("No go");
      assertShown(200, pagesOfCoupon());
    } finally {
      world.redis().restart();
    }
    awaitState("PARTITIONS", "READY");
    awaitState("MEMORY", "READY");
  }

  @Test
  void while_the_broker_is_frozen_a_drop_is_not_ready_and_all_pages_are_shown() {
    awaitState("BROKER", "READY");
    world.amqp().pause();
    try {
      awaitState("BROKER", "NOT_READY");
      assertShown(200, pagesOfCoupon());
    } finally {
      world.amqp().resume();
    }
    awaitState("BROKER", "READY");
  }

  @Test
  void while_the_database_is_away_pages_say_so() {
    awaitState("DEAD_LETTERS", "READY");
    world.postgres().kill();
    try {
      awaitState("DEAD_LETTERS", "NOT_READY");
      assertThat(page("/console/ready").body()).contains("No go");
      assertThat(page("/console/incidents").body()).contains("The database cannot be reached");
      assertShown(503, List.of("/console/coupons", "/console/coupons/" + coupon));
      assertShown(200, List.of("/console/ready", "/console/incidents", "/console/customers"));
    } finally {
      world.postgres().restart();
    }
    awaitState("DEAD_LETTERS", "READY");
    Await.until(LIMIT, "the coupons", () -> page("/console/coupons").status() == 200);
  }
}
