package io.firstcome.bootstrap.security;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Checks one password at a time, with a pause after each. A check takes a processor for about a
 * tenth of a second, by design, and everybody can ask for one: on the threads of requests some
 * hundred attempts at once would stop the claims for many seconds.
 */
final class BoundedPasswords implements PasswordEncoder {

  /** Attempts that may wait; further ones are refused. */
  private static final int MOST_WAITING = 8;

  /** The pause is so many times as long as the check, so a third of one processor is used. */
  private static final int RESTS = 2;

  private static final Duration LONGEST_REST = Duration.ofSeconds(1);

  private final PasswordEncoder checks;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.MINUTES,
          new ArrayBlockingQueue<>(MOST_WAITING),
          Thread.ofPlatform().name("password").daemon().factory());

  BoundedPasswords(PasswordEncoder checks) {
    this.checks = checks;
    thread.allowCoreThreadTimeOut(true);
  }

  /** Too many attempts to sign in wait. */
  static final class TooManyException extends AuthenticationServiceException {

    private static final long serialVersionUID = 1L;

    TooManyException(Throwable cause) {
      super("too many attempts to sign in wait", cause);
    }
  }

  @Override
  public @Nullable String encode(@Nullable CharSequence password) {
    return bounded(() -> checks.encode(password));
  }

  @Override
  public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
    return bounded(() -> checks.matches(password, encoded));
  }

  private <T extends @Nullable Object> T bounded(Callable<T> check) {
    try {
      var task = new FutureTask<>(check);
      thread.execute(() -> runAndRest(task));
      return task.get();
    } catch (RejectedExecutionException e) {
      throw new TooManyException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TooManyException(e);
    } catch (ExecutionException e) {
      throw new AuthenticationServiceException("the password could not be checked", e);
    }
  }

  private static void runAndRest(Runnable check) {
    long begun = System.nanoTime();
    check.run();
    var rest = Duration.ofNanos(System.nanoTime() - begun).multipliedBy(RESTS);
    try {
      Thread.sleep(rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
