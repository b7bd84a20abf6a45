package io.firstcome.bootstrap.operation;

/** The service does not start, for a reason that an operator can do something about. */
abstract class RefusedStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedStartException(String message) {
    super(message);
  }
}
