package io.firstcome.bootstrap.rest.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ClaimJsonTest {

  private static final UserCouponIdentity IDENTITY =
      new UserCouponIdentity(
          new UserCouponId(new CouponId("SUMMER-2026"), "0123456789ABCDEF"),
          new CouponCode("ZYXWVTSRQPNMKJHG"));

  private static Map<?, ?> read(@Nullable String state) {
    var json = new ClaimJson("ALREADY_ISSUED", IDENTITY, new Slot(100_000_000), state);
    return JsonMapper.shared().readValue(json.toBytes(), Map.class);
  }

  @Test
  void a_claim_is_written_as_a_json_object() {
    assertThat(read("HELD"))
        .isEqualTo(
            Map.of(
                "outcome", "ALREADY_ISSUED",
                "couponId", "SUMMER-2026",
                "userCouponId", "SUMMER-2026.0123456789ABCDEF",
                "slot", 100_000_000,
                "code", "ZYXWVTSRQPNMKJHG",
                "state", "HELD"));
  }

  @Test
  void an_unknown_state_is_omitted() {
    assertThat(read(null).containsKey("state")).isFalse();
  }
}
