package io.firstcome.domain.usercoupon;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AcceptedClaimTest {

  @Test
  void an_identity_of_another_coupon_is_refused() {
    var ofOther = UserCouponIdentity.of(new CouponId("OTHER"), new CouponCode("0123456789ABCDEF"));

    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new AcceptedClaim(
                new CouponId("WELCOME"),
                new UserId("ann"),
                new Slot(1),
                new Partition(0),
                new Epoch(1),
                Instant.EPOCH,
                ofOther))
        .withMessageContaining("WELCOME: OTHER.");
  }
}
