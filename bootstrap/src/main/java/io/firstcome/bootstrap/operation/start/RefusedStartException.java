package io.firstcome.bootstrap.operation.start;

/** Thrown if the service refuses to start for a reason that an operator can correct. */
abstract class RefusedStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RefusedStartException(String message) {
    super(message);
  }
}
