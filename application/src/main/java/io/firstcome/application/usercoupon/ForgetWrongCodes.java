package io.firstcome.application.usercoupon;

import io.firstcome.domain.port.WrongCodes;

/** Deletes the counts of wrong codes whose window is over. */
public final class ForgetWrongCodes {

  private final WrongCodes wrongCodes;
  private final UserCouponLimits limits;

  public ForgetWrongCodes(WrongCodes wrongCodes, UserCouponLimits limits) {
    this.wrongCodes = wrongCodes;
    this.limits = limits;
  }

  /**
   * Deletes one batch.
   *
   * @return whether there may be more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean forget() {
    return wrongCodes.forget(limits.wrongCodesWindow(), limits.forgetBatch())
        == limits.forgetBatch();
  }
}
