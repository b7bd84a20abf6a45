package io.firstcome.bootstrap.refusal;

/** The service refuses to start for a reason that an operator can correct. */
public abstract class RefusedStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  protected RefusedStartException(String message) {
    super(message);
  }
}
