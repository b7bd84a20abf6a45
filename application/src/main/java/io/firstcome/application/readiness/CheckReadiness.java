package io.firstcome.application.readiness;

import io.firstcome.application.readiness.Finding.State;
import io.firstcome.application.readiness.ReadinessCheck.Subject;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/** Checks everything that a drop needs, as far as the service can see it. */
public final class CheckReadiness {

  private final List<ReadinessCheck> checks;
  private final InstantSource clock;

  public CheckReadiness(List<ReadinessCheck> checks, InstantSource clock) {
    this.checks = checks.stream().sorted(Comparator.comparing(ReadinessCheck::subject)).toList();
    this.clock = clock;
  }

  /** A check and what it has found. */
  public record Checked(Subject subject, Finding finding) {}

  /** What all checks have found, of which the worst counts. */
  public record Readiness(State state, List<Checked> checks, Instant checkedAt) {

    public Readiness {
      checks = List.copyOf(checks);
    }
  }

  /**
   * Runs all checks, one after the other. It takes as long as the timeouts of the servers that do
   * not reply.
   */
  public Readiness check() {
    var checked = checks.stream().map(check -> new Checked(check.subject(), check.run())).toList();
    var worst = checked.stream().map(one -> one.finding().state()).reduce(State.READY, State::and);
    return new Readiness(worst, checked, clock.instant());
  }
}
