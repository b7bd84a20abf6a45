package io.firstcome.systemtests.guards;

/** The outcome of a test. */
sealed interface Outcome {

  /** It ran and passed. */
  record Green() implements Outcome {}

  /** It ran and failed, with this message and stack trace. */
  record Red(String failure) implements Outcome {}

  /** It did not run, or did not complete. */
  record NotRun() implements Outcome {}
}
