package io.firstcome.bootstrap.refusal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;

/**
 * Logs a start that the service itself refused in one line, where Spring Boot would print a stack
 * trace. Spring Boot finds this class in {@code META-INF/spring.factories}.
 */
final class RefusedStart implements SpringBootExceptionReporter {

  private static final Logger LOG = LoggerFactory.getLogger("io.firstcome");

  /** Bounds the search in a cyclic chain of causes. */
  private static final int MAX_CAUSES = 20;

  @Override
  public boolean reportException(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof RefusedStartException refusal) {
        LOG.error("{}", refusal.getMessage());
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
