package io.firstcome.application.readiness;

import org.jspecify.annotations.Nullable;

/**
 * What a check has found.
 *
 * @param text one sentence
 * @param toDo what an operator should do; null if that is nothing
 */
public record Finding(State state, String text, @Nullable String toDo) {

  /** From good to bad. */
  public enum State {
    READY,
    /** A drop would work, but something is not as it should be. */
    DOUBTFUL,
    /** A drop would not work, or it is not known whether it would. */
    NOT_READY;

    /** The worse one of both. */
    State and(State other) {
      return compareTo(other) >= 0 ? this : other;
    }
  }

  static Finding ready(String text) {
    return new Finding(State.READY, text, null);
  }

  static Finding doubtful(String text, String toDo) {
    return new Finding(State.DOUBTFUL, text, toDo);
  }

  static Finding notReady(String text, String toDo) {
    return new Finding(State.NOT_READY, text, toDo);
  }
}
