package io.firstcome.application.server;

import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.util.List;
import java.util.TreeSet;

/**
 * Checks that this instance has the code key of every coupon that is not archived. It starts
 * without one, as other coupons do not need it, and reports that.
 */
public final class InstalledCodeKeys implements ServerSettings {

  private final CouponRepository coupons;
  private final CodeKeys codeKeys;

  public InstalledCodeKeys(CouponRepository coupons, CodeKeys codeKeys) {
    this.coupons = coupons;
    this.codeKeys = codeKeys;
  }

  @Override
  public String server() {
    return "this instance";
  }

  /**
   * A weakness for each version that is missing.
   *
   * @throws DatabaseUnavailableException if the coupons could not be read
   */
  @Override
  public List<Weakness> weaknesses() {
    return new TreeSet<>(coupons.codeKeyVersions())
        .stream()
            .filter(version -> !codeKeys.isInstalled(version))
            .map(version ->
                new Weakness(
                    server(),
                    "firstcome.code-keys." + version,
                    "not installed",
                    "installed",
                    "coupons were defined with it, and their claims are answered 503 here"))
            .toList();
  }
}
