package io.firstcome.bootstrap.operation;

import java.util.List;

/** The service is to be strict, and its servers do not bear out what it promises. */
final class DoubtfulServersException extends RefusedStartException {

  private static final long serialVersionUID = 1L;

  DoubtfulServersException(List<String> doubts) {
    super("firstcome.strict refuses to start: " + String.join(" | ", doubts));
  }
}
