package io.firstcome.devservices.launcher;

import io.firstcome.devservices.FolderLock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** {@code ./firstcome demo}: many users, one small coupon, and the proof from the database. */
final class DemoCommand {

  private static final Duration DURABLE_LIMIT = Duration.ofSeconds(60);

  private final Home home;
  private final Terminal terminal;

  DemoCommand(Home home, Terminal terminal) {
    this.home = home;
    this.terminal = terminal;
  }

  /** Whether the run was exact. */
  boolean run(Command.Demo options) {
    FolderLock lock = home.lock();
    Stack stack = new Stack(home, terminal);
    Shutdown.stopsOnSignal(stack, () -> {});
    DemoResult result;
    try {
      result = startAndDemonstrate(stack, options);
      terminal.progress("stopping…");
    } catch (RuntimeException e) {
      if (stack.isClosing()) {
        Shutdown.awaitExit();
      }
      throw e;
    } finally {
      stack.close();
      lock.close();
    }
    terminal.line(result.json());
    return result.faults().isEmpty();
  }

  private DemoResult startAndDemonstrate(Stack stack, Command.Demo options) {
    long from = System.nanoTime();
    terminal.line("Firstcome demo: starting, with data in " + home.folder());
    Stack.Running all = stack.start();
    terminal.line(
        "  service   %s (ready after %s)".formatted(all.service().url(), Units.since(from)));
    return demonstrate(all, options);
  }

  private DemoResult demonstrate(Stack.Running all, Command.Demo options) {
    CouponDefinition coupon = CouponDefinition.forDemo(options.stock(), Instant.now());
    AdminClient.define(all.service().url(), coupon);
    terminal.line(
        "Coupon %s with %s pieces; %s users claim one each, at once."
            .formatted(
                coupon.couponId(), Units.count(options.stock()), Units.count(options.users())));
    ClaimBurst burst = new ClaimBurst(all.service().port(), coupon.couponId(), options.users());
    IssuedRows rows = new IssuedRows(all.postgres(), coupon.couponId());
    int expected = Math.min(options.stock(), options.users());
    long callsBefore = RedisCalls.evalsha(all.redis());
    AtomicBoolean givenUp = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // Beside the burst: the rows may well be there before the last "sold out".
      CompletableFuture<Long> durable =
          CompletableFuture.supplyAsync(() -> rows.awaitRows(expected, givenUp), threads);
      long nanos = burst.run(answered -> showProgress(answered, options.users()));
      long calls = RedisCalls.evalsha(all.redis()) - callsBefore;
      terminal.progress("waiting for the database…");
      long durableAt = await(durable, givenUp);
      DemoResult result = result(options, burst.tally(), rows, durableAt);
      DemoReport.print(terminal, result, burst.tally(), nanos, calls);
      return result;
    }
  }

  private void showProgress(int answered, int users) {
    terminal.progress(
        "%s of %s claims answered".formatted(Units.count(answered), Units.count(users)));
  }

  private static long await(CompletableFuture<Long> durable, AtomicBoolean givenUp) {
    try {
      return durable.get(DURABLE_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return Long.MAX_VALUE;
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot watch the database", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the database", e);
    } finally {
      givenUp.set(true);
    }
  }

  private static DemoResult result(
      Command.Demo options, Tally tally, IssuedRows rows, long durableAt) {
    boolean complete = durableAt != Long.MAX_VALUE && tally.accepted() > 0;
    long durableNanos = complete ? Math.max(0, durableAt - tally.lastAcceptedNanos()) : 0;
    return new DemoResult(
        options.stock(),
        options.users(),
        tally.accepted(),
        tally.alreadyIssued(),
        tally.soldOut(),
        tally.errors(),
        rows.find(options.stock(), tally.acceptedUsers()),
        complete ? TimeUnit.NANOSECONDS.toMillis(durableNanos) : -1);
  }
}
