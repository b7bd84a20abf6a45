package io.firstcome.systemtests.guards;

/** What became of a test. */
sealed interface Outcome {

  /** It ran, and nothing was wrong. */
  record Green() implements Outcome {}

  /** It ran and failed, with this message and stack trace. */
  record Red(String failure) implements Outcome {}

  /** It did not run, or not to its end. */
  record NotRun() implements Outcome {}
}
