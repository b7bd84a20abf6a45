package io.firstcome.bootstrap.operation.start;

import io.firstcome.bootstrap.refusal.RefusedStartException;
import java.util.List;

/** Thrown in strict mode if a server has a weakness or could not be inspected. */
public final class DoubtfulServersException extends RefusedStartException {

  private static final long serialVersionUID = 1L;

  public DoubtfulServersException(List<String> doubts) {
    super("firstcome.strict refuses to start: " + String.join(" | ", doubts));
  }
}
