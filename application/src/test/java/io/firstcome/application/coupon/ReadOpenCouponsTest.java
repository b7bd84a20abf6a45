package io.firstcome.application.coupon;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.coupon.ReadOpenCoupons.OpenCoupon;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadOpenCouponsTest {

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  private final InMemoryService service = InMemoryService.with(opened("OLD", Duration.ofHours(2)));

  private Coupon opened(String id, Duration ago) {
    return aCoupon()
        .withId(id)
        .withTotal(3)
        .opening(now.minus(ago), now.plus(Duration.ofHours(3)))
        .build();
  }

  private void define(String id, Duration ago) {
    service.defineCoupon.define(opened(id, ago).definition(), null, CouponFixtures.OPERATOR);
  }

  @Test
  void the_coupons_that_have_opened_last_come_first() {
    define("NEW", Duration.ofMinutes(1));
    define("LATER", Duration.ofHours(-1));
    define("MIDDLE", Duration.ofHours(1));

    var latest = service.readOpenCoupons.latest(2);

    assertThat(latest)
        .extracting(open -> open.coupon().id().value())
        .isEqualTo(List.of("NEW", "MIDDLE"));
    assertThat(latest.getFirst().openFor()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
  }

  @Test
  void what_is_left_is_read_from_the_stock() throws InterruptedException {
    service.claimCoupon.claim(new CouponId("OLD"), new UserId("ann"), null);

    assertThat(service.readOpenCoupons.latest(10))
        .extracting(OpenCoupon::remaining)
        .isEqualTo(List.of(Optional.of(2)));
    service.stock.wipe();
    assertThat(service.readOpenCoupons.latest(10))
        .extracting(OpenCoupon::remaining)
        .isEqualTo(List.of(Optional.empty()));
  }
}
