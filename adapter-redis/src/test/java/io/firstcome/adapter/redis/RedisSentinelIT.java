package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FenceState;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connecting to the master that Sentinel names. */
class RedisSentinelIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Partition PARTITION = aCoupon().build().partition();

  @Test
  void the_connection_moves_from_a_hanging_master_to_the_promoted_replica(@TempDir Path folder) {
    try (var first = DevServices.in(folder.resolve("first"));
        var second = DevServices.in(folder.resolve("second"))) {
      var master = first.redis();
      var replica = second.redis();
      replica.command("REPLICAOF", master.host(), Integer.toString(master.port()));
      await(() -> isInStep(replica));
      var sentinel = first.sentinel();
      await(() -> sentinel.command("SENTINEL", "REPLICAS", "firstcome").contains("slave"));
      try (var backend = RedisBackend.behind(sentinel, master, RedisLimits.defaults())) {
        open(backend, 1);
        assertThat(claim(backend, 1, "ann")).isEqualTo(new ClaimOutcome.Accepted(new Slot(1)));
        assertThat(master.command("XLEN", RedisKeys.handoff(PARTITION))).isEqualTo("1");
        // Replication is asynchronous, and this backend does not wait for it.
        await(() -> replica.command("XLEN", RedisKeys.handoff(PARTITION)).equals("1"));

        master.pause();

        await(() -> sentinel.masterPort() == replica.port());
        await(() -> fence(backend).map(fence -> !fence.ofThisServer()).orElse(false));
        open(backend, 2);
        assertThat(claim(backend, 2, "ann")).isEqualTo(new ClaimOutcome.AlreadyIssued(new Slot(1)));
        assertThat(claim(backend, 2, "bob")).isEqualTo(new ClaimOutcome.Accepted(new Slot(2)));
      } finally {
        master.resume();
      }
    }
  }

  private static boolean isInStep(RedisServer replica) {
    return replica.command("INFO", "replication").contains("master_link_status:up");
  }

  private static StockAddress coupon(long epoch) {
    return new StockAddress(aCoupon().build().id(), PARTITION, new Epoch(epoch));
  }

  private static void open(RedisBackend backend, long epoch) {
    backend.connect();
    backend.recovery().begin(PARTITION, new Epoch(epoch));
    if (epoch == 1) {
      backend.recovery().open(PARTITION, new Epoch(epoch));
      backend.stock().create(coupon(epoch), null, StockTerms.of(aCoupon().build()));
    } else {
      backend.recovery().ready(coupon(epoch), StockTerms.of(aCoupon().build()), 2, false);
      backend.recovery().open(PARTITION, new Epoch(epoch));
    }
  }

  private static ClaimOutcome claim(RedisBackend backend, long epoch, String user) {
    return backend
        .stock()
        .claim(coupon(epoch), null, List.of(CouponFixtures.claimOf(new UserId(user))), PATIENCE)
        .toCompletableFuture()
        .join()
        .getFirst();
  }

  /** The fence; empty if the server does not reply. */
  private static Optional<FenceState> fence(RedisBackend backend) {
    try {
      return Optional.of(backend.recovery().fence(PARTITION));
    } catch (StockUnavailableException e) {
      return Optional.empty();
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time to wait").isLessThan(end);
      LockSupport.parkNanos(POLL.toNanos());
    }
  }
}
