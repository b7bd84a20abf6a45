package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.StockRemovalContract;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis keeps {@link StockRemovalContract}. */
class RedisStockRemovalIT extends StockRemovalContract {

  private @Nullable RedisBackend backend;

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    var empty = RedisBackend.empty(LOG_CAP);
    backend = empty;
    return empty;
  }

  @Test
  void a_removal_deletes_every_key_of_the_coupon_and_the_next_recovery_deletes_the_note() {
    var coupon = CouponFixtures.aCoupon().build();
    var redis = RedisBackend.empty(LOG_CAP);
    backend = redis;
    var address = new StockAddress(coupon.id(), coupon.partition(), new Epoch(1));
    redis.recovery().begin(coupon.partition(), address.epoch());
    redis.recovery().open(coupon.partition(), address.epoch());
    redis.stock().create(address, null, StockTerms.of(coupon));
    redis
        .stock()
        .claim(
            address,
            null,
            List.of(CouponFixtures.claimOf(new UserId("ann"))),
            Duration.ofSeconds(5))
        .toCompletableFuture()
        .join();
    redis.stock().release(address, new UserId("ann"), new Slot(1), 1);
    assertThat(keys(redis, "*:WELCOME:*")).hasSize(4);

    redis.stock().remove(address);

    assertThat(keys(redis, "*:WELCOME:*")).isEmpty();
    assertThat(keys(redis, "*:removed")).hasSize(1);
    redis.recovery().begin(coupon.partition(), address.epoch().next());
    assertThat(keys(redis, "*:removed")).isEmpty();
  }

  private static List<String> keys(RedisBackend redis, String pattern) {
    return redis.commands(commands -> commands.keys(pattern));
  }

  @AfterEach
  void close() {
    if (backend != null) {
      backend.close();
    }
  }
}
