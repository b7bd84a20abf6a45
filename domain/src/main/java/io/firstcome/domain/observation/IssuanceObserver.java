package io.firstcome.domain.observation;

/** Receives what is reported as metrics and log lines. */
@FunctionalInterface
public interface IssuanceObserver {

  /** Is called on the claim path: returns at once and never throws. */
  void observe(Observation observation);

  /** Does nothing. */
  static IssuanceObserver silent() {
    return _ -> {};
  }
}
