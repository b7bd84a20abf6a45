package io.firstcome.bootstrap.rehearsal;

import io.firstcome.application.rehearsal.RemoveRehearsal;
import io.firstcome.application.rehearsal.RunRehearsal;
import io.firstcome.application.rehearsal.StartRehearsal;
import io.firstcome.bootstrap.operation.Loop;
import io.firstcome.bootstrap.operation.WorkInLoops;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Starts and runs rehearsals at this instance, and removes what those of any instance leave. */
@Component
public class RehearsalWork extends WorkInLoops {

  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Duration REMOVE_EVERY = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /** Each step of a removal locks rows; between two of them, claims are recorded. */
  private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);

  private final StartRehearsal startRehearsal;
  private final RunRehearsal runRehearsal;
  private final RemoveRehearsal removeRehearsal;

  /** Nearly always empty, as one is in progress at a time. */
  private final BlockingQueue<Rehearsal> started = new LinkedBlockingQueue<>();

  /** Used by the thread that removes. */
  private Duration retryAfter = REMOVE_EVERY;

  RehearsalWork(
      StartRehearsal startRehearsal,
      RunRehearsal runRehearsal,
      RemoveRehearsal removeRehearsal,
      IssuanceObserver observer) {
    super(observer);
    this.startRehearsal = startRehearsal;
    this.runRehearsal = runRehearsal;
    this.removeRehearsal = removeRehearsal;
  }

  /** Starts a rehearsal, which this instance runs in the background. */
  public StartRehearsal.Result start(RehearsalPlan plan, boolean besideOpenCoupons, Actor actor) {
    var result = startRehearsal.start(plan, besideOpenCoupons, actor);
    if (result instanceof StartRehearsal.Result.Started(var rehearsal)) {
      started.add(rehearsal);
    }
    return result;
  }

  @Override
  protected List<Loop> loops() {
    return List.of(loop("rehearsing", this::run), loop("removing rehearsals", this::remove));
  }

  private Duration run() throws InterruptedException {
    var rehearsal = started.poll(WAIT.toMillis(), TimeUnit.MILLISECONDS);
    if (rehearsal != null) {
      runRehearsal.run(rehearsal);
    }
    return Duration.ZERO;
  }

  private Duration remove() {
    return switch (removeRehearsal.removeNext()) {
      case MORE -> BETWEEN_STEPS;
      case NONE -> {
        retryAfter = REMOVE_EVERY;
        yield REMOVE_EVERY;
      }
      case LATER -> {
        var wait = retryAfter;
        var longer = wait.multipliedBy(2);
        retryAfter = longer.compareTo(LONGEST_WAIT) < 0 ? longer : LONGEST_WAIT;
        yield wait;
      }
    };
  }
}
