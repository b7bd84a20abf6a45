package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static io.firstcome.contracts.CouponFixtures.claimOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.StockErasureContract;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis keeps {@link StockErasureContract}. */
class RedisStockErasureIT extends StockErasureContract<HandoffStockUnderTest> {

  private @Nullable RedisBackend backend;

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    var empty = RedisBackend.empty(LOG_CAP);
    backend = empty;
    return empty;
  }

  /** In PostgreSQL its row exists before, as that of a draft, and is marked by the erasure. */
  @Test
  void a_coupon_that_is_created_after_an_erasure_counts_what_the_user_had() {
    var one = campaign(1, "SHIRTS", "SHOES");
    var redis = Objects.requireNonNull(backend);
    var shoes = redis.define(aCoupon().withId("SHOES").inCampaign(one).build());
    claim(redis, shoes, one, "ann");
    redis.erase(shoes, new UserId("ann"));

    var shirts = redis.define(aCoupon().withId("SHIRTS").inCampaign(one).build());

    assertThat(claim(redis, shirts, one, "ann", "bob"))
        .containsExactly(new ClaimOutcome.CampaignLimit(), redis.won(new Slot(1)));
  }

  private static List<ClaimOutcome> claim(
      HandoffStockUnderTest redis, StockAddress coupon, Campaign campaign, String... users) {
    var claims = Stream.of(users).map(user -> claimOf(new UserId(user))).toList();
    return redis
        .stock()
        .claim(coupon, campaign, claims, Duration.ofSeconds(5))
        .toCompletableFuture()
        .join();
  }

  @AfterEach
  void close() {
    if (backend != null) {
      backend.close();
    }
  }
}
