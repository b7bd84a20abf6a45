package io.firstcome.bootstrap.refusal;

/** A setting of the deployment has an invalid value, is missing, or contradicts another one. */
public final class InvalidSettingException extends RefusedStartException {

  private static final long serialVersionUID = 1L;

  /**
   * @param message names the setting and what is valid; never a secret
   */
  public InvalidSettingException(String message) {
    super(message);
  }
}
