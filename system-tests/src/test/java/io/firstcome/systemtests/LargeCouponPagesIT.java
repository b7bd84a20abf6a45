package io.firstcome.systemtests;

import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.FirstcomeUp;
import io.firstcome.systemtests.kit.ManyHolders;
import io.firstcome.systemtests.kit.NodePackage;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * What takes long for a coupon with a million user coupons, as the pages show it: its recovery, its
 * proof, and the file of its user coupons. Needs what {@link PagesIT} needs.
 */
@Tag("faults")
@EnabledIf("io.firstcome.systemtests.PagesIT#aBrowserIsInstalled")
@Timeout(900)
class LargeCouponPagesIT {

  private static final int LARGE = 1_000_000;

  /** The script starts Redis again, so that it sees the recovery from its begin. */
  @Test
  void what_takes_long_is_shown_with_figures_and_an_estimate() throws Exception {
    var browser = NodePackage.of("system-tests/browser");
    browser.npm("ci");
    try (var up = FirstcomeUp.in("large-coupon")) {
      var couponId = up.define(CouponRequests.aCoupon().withTotal(LARGE));
      FirstcomeUp.kill(up.process("redis"));
      try (var _ = ManyHolders.of(up, couponId, LARGE)) {
        browser.npm(
            Map.of(
                "FIRSTCOME_HOME", up.home().toString(),
                "LARGE_COUPON", couponId,
                "LARGE_COUPON_ROWS", Integer.toString(LARGE)),
            "run",
            "test:large-coupon");
      }
    }
  }
}
