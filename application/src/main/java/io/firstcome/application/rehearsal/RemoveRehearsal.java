package io.firstcome.application.rehearsal;

import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.rehearsal.Rehearsal.State;

/**
 * Removes what a rehearsal has issued: its clone is closed and archived, as any other coupon, and
 * then its rows are deleted. Any instance can do so, also if the one that has run the rehearsal was
 * killed. What fails is retried.
 */
public final class RemoveRehearsal {

  private static final int ROWS = 2_000;

  private final Rehearsals rehearsals;
  private final RehearsalClones clones;
  private final boolean arePublished;

  /**
   * @param arePublished whether the deployment has a broker, to which events are published
   */
  public RemoveRehearsal(Rehearsals rehearsals, RehearsalClones clones, boolean arePublished) {
    this.rehearsals = rehearsals;
    this.clones = clones;
    this.arePublished = arePublished;
  }

  /** When the next step can be taken. */
  public enum Next {
    /** At once. */
    MORE,
    /** When there is something to remove. */
    NONE,
    /**
     * When what keeps the clone from being archived is over. Each attempt compares its stock and
     * rows, and so costs more than looking whether there is something to remove.
     */
    LATER
  }

  /**
   * Takes the next step of the removal, if a rehearsal has ended.
   *
   * @throws io.firstcome.domain.port.ServerUnavailableException if a server is not reachable
   */
  public Next removeNext() {
    var late = rehearsals.lateClones();
    late.forEach(clones::archive);
    var latest = rehearsals.latest(1).stream().findFirst().orElse(null);
    if (latest == null || latest.state() == State.REMOVED) {
      return late.isEmpty() ? Next.NONE : Next.LATER;
    }
    if (latest.state() == State.RUNNING) {
      rehearsals.stopSilent(Rehearsals.SILENCE);
      return Next.NONE;
    }
    return switch (rehearsals.removeRows(latest.id(), ROWS, arePublished)) {
      case MORE -> Next.MORE;
      case DONE -> Next.NONE;
      case WAIT -> {
        clones.archive(latest.cloneId());
        yield Next.LATER;
      }
    };
  }
}
