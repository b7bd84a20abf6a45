package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the metrics of alerts say while a server is away. */
@Tag("faults")
class MetricsFaultIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PARTITIONS = 4;

  private final World world = World.get();

  @Test
  void while_the_broker_is_away_accepted_claims_age_in_the_log() {
    var coupon = world.define(aCoupon());
    world.amqp().kill();
    try {
      assertThat(world.send(Call.claim(coupon).as(Users.one())).status()).isEqualTo(202);
      Await.until(LIMIT, "an old entry", () -> value("firstcome_handoff_oldest_age_seconds") > 5);
      assertThat(value("firstcome_handoff_depth")).isEqualTo(1);
    } finally {
      world.amqp().restart();
    }
    Await.until(LIMIT, "an empty log", () -> value("firstcome_handoff_depth") == 0);
    assertThat(value("firstcome_handoff_oldest_age_seconds")).isZero();
  }

  @Test
  void while_redis_is_away_all_partitions_are_closed_and_the_log_has_no_depth() {
    world.redis().kill();
    try {
      Await.until(LIMIT, "closed partitions", () -> value("firstcome_partition_open") == 0);
      Await.until(LIMIT, "no depth", () -> !scrape().contains("\nfirstcome_handoff_depth{"));
    } finally {
      world.redis().restart();
    }
    world.awaitOpen();
    Await.until(LIMIT, "open partitions", () -> value("firstcome_partition_open") == PARTITIONS);
    Await.until(LIMIT, "a depth", () -> scrape().contains("\nfirstcome_handoff_depth{"));
  }

  @Test
  void while_the_database_is_away_the_age_of_events_is_not_known() {
    world.postgres().kill();
    try {
      Await.until(
          LIMIT, "no age", () -> Double.isNaN(value("firstcome_outbox_oldest_age_seconds")));
      assertThat(value("firstcome_dead_letters")).isNaN();
    } finally {
      world.postgres().restart();
    }
    Await.until(LIMIT, "an age", () -> value("firstcome_outbox_oldest_age_seconds") >= 0);
  }

  private double value(String metric) {
    return World.metric(world.service(), metric, "");
  }

  private String scrape() {
    return World.manage(world.service(), "/actuator/prometheus").body();
  }
}
