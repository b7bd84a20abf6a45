package io.firstcome.application.rehearsal;

import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.Rehearsals.Removal;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.Rehearsal.State;
import io.firstcome.domain.usercoupon.Actor;

/**
 * Removes what a rehearsal has issued: its clone is closed and archived, as any other coupon, and
 * then its rows are deleted. Any instance can do so, also if the one that has run the rehearsal was
 * killed. What fails is retried.
 */
public final class RemoveRehearsal {

  private static final int ROWS = 2_000;

  private final Rehearsals rehearsals;
  private final ChangeCoupon changeCoupon;
  private final ArchiveCoupon archiveCoupon;
  private final boolean arePublished;

  /**
   * @param arePublished whether the deployment has a broker, to which events are published
   */
  public RemoveRehearsal(
      Rehearsals rehearsals,
      ChangeCoupon changeCoupon,
      ArchiveCoupon archiveCoupon,
      boolean arePublished) {
    this.rehearsals = rehearsals;
    this.changeCoupon = changeCoupon;
    this.archiveCoupon = archiveCoupon;
    this.arePublished = arePublished;
  }

  /**
   * Takes the next step of the removal, if a rehearsal has ended.
   *
   * @return whether the next step can be taken at once
   * @throws io.firstcome.domain.port.ServerUnavailableException if a server is not reachable
   */
  public boolean removeNext() {
    var latest = rehearsals.latest(1).stream().findFirst().orElse(null);
    if (latest == null || latest.state() == State.REMOVED) {
      return false;
    }
    if (latest.state() == State.RUNNING) {
      rehearsals.stopSilent(Rehearsals.SILENCE);
      return false;
    }
    var removal = rehearsals.removeRows(latest.id(), ROWS, arePublished);
    if (removal == Removal.WAIT) {
      archive(latest);
    }
    return removal == Removal.MORE;
  }

  /** Claims of it that are not recorded yet keep it from being archived for a while. */
  private void archive(Rehearsal rehearsal) {
    changeCoupon.change(rehearsal.cloneId(), Coupon::close, Actor.REHEARSAL);
    archiveCoupon.archive(rehearsal.cloneId(), Actor.REHEARSAL);
  }
}
