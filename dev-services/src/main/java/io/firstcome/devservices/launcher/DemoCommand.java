package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.demo.ClaimBurst;
import io.firstcome.devservices.launcher.demo.DemoReport;
import io.firstcome.devservices.launcher.demo.DemoResult;
import io.firstcome.devservices.launcher.demo.IssuedRows;
import io.firstcome.devservices.launcher.demo.Result;
import io.firstcome.devservices.launcher.demo.RoomDemo;
import io.firstcome.devservices.launcher.demo.ScriptCallCount;
import io.firstcome.devservices.launcher.demo.Tally;
import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.launcher.terminal.Units;
import io.firstcome.devservices.process.FolderLock;
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

  /** Runs the demo and returns whether its result was exact. */
  boolean run(int stock, int users, boolean withRoom) {
    FolderLock lock = home.lock();
    Stack stack = new Stack(home, terminal);
    Shutdown.stopsOnSignal(stack, terminal, () -> {});
    Result result;
    try {
      Stack.Running all = start(stack);
      result = withRoom ? demonstrateRoom(all, stock, users) : demonstrate(all, stock, users);
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

  private Stack.Running start(Stack stack) {
    long from = System.nanoTime();
    terminal.line("Firstcome demo: starting, with data in " + home.folder());
    Stack.Running all = stack.start();
    terminal.line(
        "  service   %s (ready after %s)".formatted(all.service().url(), Units.since(from)));
    return all;
  }

  private Result demonstrateRoom(Stack.Running all, int stock, int users) {
    DefinitionBody coupon = DefinitionBody.forRoomDemo(stock, Instant.now());
    AdminClient.define(all.service().url(), coupon);
    terminal.line(
        "Coupon %s with %s slots and a waiting room; %s users join it before it opens."
            .formatted(coupon.couponId(), Units.count(stock), Units.count(users)));
    IssuedRows rows = new IssuedRows(all.postgres(), coupon.couponId());
    return new RoomDemo(terminal, all.service().port(), coupon.couponId(), rows, stock, users)
        .run();
  }

  private Result demonstrate(Stack.Running all, int stock, int users) {
    DefinitionBody coupon = DefinitionBody.forDemo(stock, Instant.now());
    AdminClient.define(all.service().url(), coupon);
    terminal.line(
        "Coupon %s with %s slots; %s users claim it concurrently, once each."
            .formatted(coupon.couponId(), Units.count(stock), Units.count(users)));
    ClaimBurst burst = new ClaimBurst(all.service().port(), coupon.couponId(), users);
    IssuedRows rows = new IssuedRows(all.postgres(), coupon.couponId());
    int expected = Math.min(stock, users);
    long callsBefore = ScriptCallCount.evalsha(all.redis());
    AtomicBoolean stopWaiting = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // Concurrent with the burst: all rows may exist before the last "sold out".
      CompletableFuture<Long> durable =
          CompletableFuture.supplyAsync(() -> rows.awaitRows(expected, stopWaiting::get), threads);
      long nanos = burst.run(answered -> showProgress(answered, users));
      long calls = ScriptCallCount.evalsha(all.redis()) - callsBefore;
      terminal.progress("waiting for the database…");
      long durableAt = await(durable, stopWaiting);
      DemoResult result = result(stock, users, burst.tally(), rows, durableAt);
      DemoReport.print(terminal, result, burst.tally(), nanos, calls);
      return result;
    }
  }

  private void showProgress(int answered, int users) {
    terminal.progress(
        "%s of %s claims answered".formatted(Units.count(answered), Units.count(users)));
  }

  private static long await(CompletableFuture<Long> durable, AtomicBoolean stopWaiting) {
    try {
      return durable.get(DURABLE_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return Long.MAX_VALUE;
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot wait for the rows in the database", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the database", e);
    } finally {
      stopWaiting.set(true);
    }
  }

  private static DemoResult result(
      int stock, int users, Tally tally, IssuedRows rows, long durableAt) {
    boolean complete = durableAt != Long.MAX_VALUE && tally.accepted() > 0;
    long durableNanos = complete ? Math.max(0, durableAt - tally.lastAcceptedNanos()) : 0;
    return new DemoResult(
        stock,
        users,
        tally.accepted(),
        tally.alreadyIssued(),
        tally.soldOut(),
        tally.errors(),
        rows.find(stock, tally.acceptedUsers()),
        complete ? TimeUnit.NANOSECONDS.toMillis(durableNanos) : -1);
  }
}
