package io.firstcome.client;

import io.firstcome.client.model.Problem;

/**
 * The service has refused the call, and a repeat would not help. This attempt has changed nothing;
 * an earlier one whose answer was lost may have.
 */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final String type;

  RefusedException(Problem problem, Throwable cause) {
    super(problem.getTitle() + ": " + problem.getDetail(), cause);
    this.problem = problem;
    this.type = Problems.name(problem);
  }

  /** The name of the problem, such as {@code sold-out}, from the page of all problems. */
  public String type() {
    return type;
  }

  /** What the service has answered. */
  public Problem problem() {
    return problem;
  }
}
