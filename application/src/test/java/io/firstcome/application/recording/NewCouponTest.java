package io.firstcome.application.recording;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One instance publishes a coupon and accepts a claim. Another one, which was asked for the coupon
 * just before and did not find it, records the claim.
 */
class NewCouponTest {

  private final InMemoryService service = InMemoryService.with(aCoupon().withId("OTHER").build());
  private final Coupon coupon = aCoupon().build();
  private final CouponCatalog catalogOfRecorder =
      InMemoryMaps.catalog(service.database.coupons(), new SettableClock());

  @BeforeEach
  void publishAfterTheRecorderWasAsked() {
    assertThat(catalogOfRecorder.find(coupon.id())).isEmpty();
    service.defineCoupon.define(coupon.definition(), null, OPERATOR);
    assertThat(catalogOfRecorder.find(coupon.id())).as("remembered absence").isEmpty();
  }

  @Test
  void a_claim_of_a_coupon_that_was_unknown_a_moment_ago_is_recorded() {
    service.claim(coupon, "ann");

    InMemoryService.record(
        service.recorder(catalogOfRecorder), service.stock.log().readNew(1, Duration.ZERO));

    assertThat(service.deadLetters()).isEmpty();
    assertThat(service.row(coupon, "ann").orElseThrow().slot()).isEqualTo(new Slot(1));
  }

  @Test
  void a_late_claim_of_a_coupon_that_was_unknown_a_moment_ago_is_settled() {
    var late =
        new LateClaim(
            coupon.id(),
            new UserId("ann"),
            new Slot(1),
            coupon.partition(),
            service.clock.instant());
    service.database.lateClaims().add(List.of(late));

    assertThat(service.settleLateClaims(catalogOfRecorder).settle(coupon.partition())).isOne();

    assertThat(service.row(coupon, "ann")).isPresent();
  }
}
