package io.firstcome.benchmark.rig;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.devservices.DevServices;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FirstcomeRigIT {

  private static final String DATABASE = "rig";
  private static final Duration WITHIN = Duration.ofSeconds(20);

  @BeforeEach
  void empty() {
    FirstcomeRig.empty(servers());
  }

  @Test
  void what_one_rig_accepted_the_next_one_records() throws InterruptedException {
    try (var killed = start()) {
      var coupon = killed.define("RIG", 30, StockBackend.REDIS);
      assertThat(accepted(claim(killed, coupon))).isEqualTo(30);
      assertThat(killed.prove(coupon).unrecorded()).isEqualTo(30);
    }
    try (var next = start()) {
      var coupon = next.find("RIG").orElseThrow();
      next.startCarrying();
      next.awaitRecorded(coupon, WITHIN);
      var proof = next.prove(coupon);
      assertThat(proof.exact()).isTrue();
      assertThat(proof.slotsUsed()).isEqualTo(30);
    }
  }

  private static FirstcomeRig start() throws InterruptedException {
    return FirstcomeRig.start(servers(), ApplicationLimits.defaults(), RedisLimits.defaults());
  }

  private static RigServers servers() {
    var servers = DevServices.shared();
    return new RigServers(servers.postgres(), DATABASE, servers.redis(), servers.amqp());
  }

  private static List<ClaimOutcome> claim(FirstcomeRig rig, Coupon coupon) {
    var claims =
        IntStream.range(0, 40)
            .mapToObj(i -> rig.groupCommit().claim(coupon, new UserId("user-" + i)))
            .map(CompletionStage::toCompletableFuture)
            .toList();
    return claims.stream().map(claim -> claim.orTimeout(10, TimeUnit.SECONDS).join()).toList();
  }

  private static long accepted(List<ClaimOutcome> outcomes) {
    return outcomes.stream().filter(ClaimOutcome.Accepted.class::isInstance).count();
  }
}
