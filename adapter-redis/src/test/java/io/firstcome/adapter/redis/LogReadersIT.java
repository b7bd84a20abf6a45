package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.HandoffLog;
import io.lettuce.core.Consumer;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers of the log left behind by instances that ended. */
@Timeout(30)
class LogReadersIT {

  private static final Epoch EPOCH = new Epoch(1);
  private static final Duration LONG = Duration.ofHours(1);
  private static final UserId ANN = new UserId("ann");

  private final RedisBackend backend = emptyBackend();
  private final StockAddress coupon =
      new StockAddress(aCoupon().build().id(), aCoupon().build().partition(), EPOCH);
  private final String key = RedisKeys.handoff(coupon.partition());
  private final HandoffLog log = backend.log();

  /** A backend that deletes readers after a millisecond of idle time. */
  private static RedisBackend emptyBackend() {
    var usual = RedisLimits.defaults();
    var limits =
        new RedisLimits(
            usual.callsInFlight(),
            usual.claimsPerCall(),
            usual.logCap(),
            usual.commandTime(),
            usual.requestQueue(),
            usual.ledgerPage(),
            usual.filterMegabytes(),
            usual.reconnectPause(),
            usual.idlePause(),
            Duration.ofMillis(1),
            usual.replicas(),
            usual.replicaTime(),
            usual.replicaListEvery(),
            usual.replicaListAge(),
            usual.replicaSilence());
    var backend = RedisBackend.of(DevServices.shared().redis(), limits);
    backend.commands(RedisCommands::flushall);
    backend.connect();
    return backend;
  }

  @BeforeEach
  void open() {
    backend.recovery().begin(coupon.partition(), EPOCH);
    backend.recovery().open(coupon.partition(), EPOCH);
    backend.stock().create(coupon, null, StockTerms.of(aCoupon().build()));
    backend
        .stock()
        .claim(coupon, null, List.of(CouponFixtures.claimOf(ANN)), Duration.ofSeconds(20))
        .toCompletableFuture()
        .join();
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private void sweepUntilGone(String reader) {
    while (readers().contains(reader)) {
      assertThat(log.readStale(LONG, 10)).isEmpty();
    }
  }

  @SuppressWarnings("unchecked") // the varargs of a generic type
  private void readAndStop() {
    var inactive = Consumer.from(RedisHandoffLog.GROUP, "inactive");
    var entries =
        backend.commands(
            redis -> redis.xreadgroup(inactive, XReadArgs.StreamOffset.lastConsumed(key)));
    assertThat(entries).hasSize(1);
  }

  private String readers() {
    return backend.commands(redis -> redis.xinfoConsumers(key, RedisHandoffLog.GROUP)).toString();
  }

  @Test
  void the_sweep_deletes_only_readers_without_pending_entries() {
    readAndStop();
    backend.commands(
        redis -> redis.xgroupCreateconsumer(key, Consumer.from(RedisHandoffLog.GROUP, "gone")));

    sweepUntilGone("gone");

    assertThat(readers()).contains("inactive");
    assertThat(log.readStale(Duration.ZERO, 10))
        .as("pending entries of the inactive reader")
        .flatExtracting(HandoffEntry::claims)
        .extracting(SlotClaim::userId)
        .containsExactly(ANN);
  }

  @Test
  void a_reader_that_was_deleted_can_read_again() {
    backend.commands(
        redis -> redis.xgroupCreateconsumer(key, Consumer.from(RedisHandoffLog.GROUP, "test")));
    sweepUntilGone("test");

    assertThat(log.readNew(10, Duration.ofSeconds(1))).hasSize(1);
  }
}
