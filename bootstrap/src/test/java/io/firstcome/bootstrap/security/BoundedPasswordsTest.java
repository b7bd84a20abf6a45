package io.firstcome.bootstrap.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.password.PasswordEncoder;

class BoundedPasswordsTest {

  private final SlowChecks checks = new SlowChecks();
  private final BoundedPasswords passwords = new BoundedPasswords(checks);

  /** Checks that take until they are released. */
  private static final class SlowChecks implements PasswordEncoder {

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostRunning = new AtomicInteger();
    private volatile boolean isVirtual;

    @Override
    public @Nullable String encode(@Nullable CharSequence password) {
      return String.valueOf(password);
    }

    @Override
    public boolean matches(@Nullable CharSequence password, @Nullable String encoded) {
      mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
      isVirtual = Thread.currentThread().isVirtual();
      try {
        released.await();
        // So that checks which may run at once do.
        Thread.sleep(50);
      } catch (InterruptedException e) {
        throw new IllegalStateException("unexpected interrupt of a test", e);
      }
      running.decrementAndGet();
      return String.valueOf(password).equals(encoded);
    }
  }

  private FutureTask<Boolean> attempt(String password) {
    var attempt = new FutureTask<>(() -> passwords.matches(password, "right"));
    Thread.startVirtualThread(attempt);
    return attempt;
  }

  @Test
  void one_password_is_checked_at_a_time_and_not_on_a_thread_of_requests() throws Exception {
    var attempts = new ArrayList<FutureTask<Boolean>>();
    for (int i = 0; i < 5; i++) {
      attempts.add(attempt(i == 2 ? "right" : "wrong"));
    }
    checks.released.countDown();

    for (int i = 0; i < 5; i++) {
      assertThat(attempts.get(i).get()).isEqualTo(i == 2);
    }
    assertThat(checks.mostRunning).hasValue(1);
    assertThat(checks.isVirtual).isFalse();
  }

  @Test
  void further_attempts_are_refused_while_many_wait() throws Exception {
    var attempts = new ArrayList<FutureTask<Boolean>>();
    for (int i = 0; i < 20; i++) {
      attempts.add(attempt("right"));
    }
    // One is checked, and eight wait.
    var refused = new ArrayList<FutureTask<Boolean>>();
    while (refused.size() < 11) {
      attempts.stream()
          .filter(attempt -> attempt.isDone() && !refused.contains(attempt))
          .forEach(refused::add);
      Thread.sleep(1);
    }

    for (var attempt : refused) {
      assertThatThrownBy(attempt::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(BoundedPasswords.TooManyException.class);
    }
    assertThat(refused).hasSize(11);
    checks.released.countDown();
    for (var attempt : attempts) {
      assertThat(refused.contains(attempt) || attempt.get()).isTrue();
    }
  }
}
