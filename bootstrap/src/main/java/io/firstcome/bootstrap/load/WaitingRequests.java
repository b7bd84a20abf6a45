package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * Requests that wait for work whose amount is bounded. They release their permits, and a few of
 * each caller wait at a time, so that one caller does not keep the requests of others waiting.
 */
public final class WaitingRequests {

  private static final int MOST_OF_CALLER = 4;
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final InProgress<Optional<UserId>> waiting = new InProgress<>(MOST_OF_CALLER);
  private final String subject;

  /**
   * @param subject what they wait for, in the plural
   */
  public WaitingRequests(String subject) {
    this.subject = subject;
  }

  /**
   * What a request waits for.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  public interface Wait<T> {
    T result() throws InterruptedException;
  }

  /**
   * Waits, and returns the result.
   *
   * @throws Problem {@code too-many-requests}, if four requests of the caller wait already
   */
  public <T> T await(HttpServletRequest request, Caller caller, Wait<T> wait)
      throws InterruptedException {
    var user = Optional.ofNullable(caller.userId());
    if (!waiting.begin(user)) {
      throw Problem.tooMany(
          "%d requests of yours wait for %s.".formatted(MOST_OF_CALLER, subject), RETRY);
    }
    try {
      Permit.release(request);
      return wait.result();
    } finally {
      waiting.end(user);
    }
  }
}
