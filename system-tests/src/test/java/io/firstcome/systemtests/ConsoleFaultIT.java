package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.ConsoleVisitor;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.ManyHolders;
import io.firstcome.systemtests.kit.SlowDownload;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators see while a server is away. */
@Tag("faults")
class ConsoleFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Their file is larger than what the buffers of a connection hold. */
  private static final int HOLDERS = 30_000;

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

  /** Waits until what only the database knows is known; other tests may leave dead letters. */
  private void awaitDatabase() {
    Await.until(LIMIT, "dead letters are read", () -> !state("DEAD_LETTERS").equals("NOT_READY"));
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
    assertNotReadyDuring(world.amqp()::pause, world.amqp()::resume);
  }

  /** It then reads nothing from connections that publish. */
  @Test
  void while_the_broker_has_a_memory_alarm_a_drop_is_not_ready_and_all_pages_are_shown() {
    assertNotReadyDuring(
        () -> world.amqp().control("set_vm_memory_high_watermark", "absolute", "1"),
        () -> world.amqp().control("set_vm_memory_high_watermark", "0.4"));
  }

  private void assertNotReadyDuring(Runnable faultOfBroker, Runnable mend) {
    awaitState("BROKER", "READY");
    faultOfBroker.run();
    try {
      awaitState("BROKER", "NOT_READY");
      assertThat(page("/console/ready").body()).contains("No go");
      assertShown(200, pagesOfCoupon());
    } finally {
      mend.run();
    }
    awaitState("BROKER", "READY");
  }

  @Test
  void while_redis_and_the_broker_are_away_all_pages_are_shown_and_say_so() {
    awaitState("PARTITIONS", "READY");
    awaitState("BROKER", "READY");
    world.redis().kill();
    world.amqp().kill();
    try {
      awaitState("PARTITIONS", "NOT_READY");
      awaitState("BROKER", "NOT_READY");
      var ready = page("/console/ready").body();
      assertThat(ready).contains("No go", "refuse claims of this instance");
      assertThat(page("/console/coupons/" + coupon).body()).contains("not known");
      assertShown(200, pagesOfCoupon());
      assertShown(200, List.of("/console/ready", "/console/customers", "/console/webhooks"));
    } finally {
      world.redis().restart();
      world.amqp().restart();
    }
    awaitState("PARTITIONS", "READY");
    awaitState("BROKER", "READY");
  }

  @Test
  void requests_that_wait_for_a_proof_are_bounded_for_each_operator()
      throws InterruptedException, ExecutionException {
    world.redis().pause();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var statuses =
          IntStream.range(0, 8)
              .mapToObj(_ -> threads.submit(() -> world.send(Call.proof(coupon)).status()))
              .toList();
      var seen = new ArrayList<Integer>();
      for (var status : statuses) {
        seen.add(status.get());
      }
      assertThat(seen.stream().filter(status -> status == 429)).hasSize(4);
    } finally {
      world.redis().resume();
    }
    awaitState("PARTITIONS", "READY");
    assertThat(world.send(Call.proof(coupon)).status()).isEqualTo(200);
  }

  @Test
  void a_file_that_is_not_complete_ends_with_the_connection() throws SQLException {
    try (var holders = ManyHolders.ofDraft(world, HOLDERS);
        var download =
            SlowDownload.begin(
                world, operator.get("/console/coupons/" + holders.couponId() + "/issued.csv"))) {
      world.postgres().kill();
      String rest;
      try {
        rest = download.rest();
      } finally {
        world.postgres().restart();
      }

      assertThat(rest).contains("ISSUED").doesNotContain("urn:firstcome:problem", "<html");
      // The last chunk of a complete answer.
      assertThat(rest).doesNotEndWith("\r\n0\r\n\r\n");
      awaitDatabase();
    }
  }

  @Test
  void while_the_database_is_away_pages_say_so() {
    awaitDatabase();
    world.postgres().kill();
    try {
      awaitState("DEAD_LETTERS", "NOT_READY");
      assertThat(page("/console/ready").body()).contains("No go");
      assertThat(page("/console/incidents").body()).contains("The database cannot be reached");
      assertShown(503, List.of("/console/coupons", "/console/coupons/" + coupon));
      assertShown(
          200,
          List.of(
              "/console/ready",
              "/console/incidents",
              "/console/customers",
              "/console/manual",
              "/console/new"));
    } finally {
      world.postgres().restart();
    }
    awaitDatabase();
    Await.until(LIMIT, "the coupons", () -> page("/console/coupons").status() == 200);
  }
}
