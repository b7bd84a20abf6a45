package io.firstcome.application;

import io.firstcome.domain.port.WrongCodes;

/** Deletes the counts of wrong codes that lock no caller out any more. */
public final class ForgetWrongCodes {

  private final WrongCodes wrongCodes;
  private final ApplicationLimits limits;

  public ForgetWrongCodes(WrongCodes wrongCodes, ApplicationLimits limits) {
    this.wrongCodes = wrongCodes;
    this.limits = limits;
  }

  /**
   * Deletes one batch.
   *
   * @return whether there may be more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is away
   */
  public boolean forget() {
    return wrongCodes.forget(limits.wrongCodesWindow(), limits.forgetBatch())
        == limits.forgetBatch();
  }
}
