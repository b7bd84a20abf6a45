package io.firstcome.domain.port;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalId;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rehearsals and their results. Failures are {@link DatabaseUnavailableException}s. */
public interface Rehearsals {

  /**
   * The time since a rehearsal last went on, by the clock of the database, after which its instance
   * counts as ended, and no longer defines its clone.
   */
  Duration SILENCE = Duration.ofSeconds(30);

  /**
   * Adds a rehearsal that runs, and an entry to the audit trail of its coupon in the same
   * transaction.
   *
   * @param clone the id of the coupon that will be issued
   * @param instance that will send the claims
   * @return empty, without effect, if another one is not {@link Rehearsal.State#REMOVED} yet
   */
  Optional<Rehearsal> start(
      RehearsalPlan plan, CouponId clone, String instance, Actor actor, Instant at);

  /**
   * Notes that the rehearsal goes on. No effect if it does not run.
   *
   * @param answered claims until now
   * @return whether it still runs
   */
  boolean goesOn(RehearsalId id, int answered);

  /** Ends a rehearsal that runs, with its result. No effect if it does not run. */
  void end(RehearsalId id, RehearsalResult result);

  /**
   * Ends a rehearsal that runs, without a result, and adds that to the audit trail of its coupon.
   * No effect if it does not run.
   */
  void stop(RehearsalId id, Actor actor, Instant at);

  /**
   * Ends the rehearsals that have not gone on for that time, by the clock of the database: their
   * instances have ended.
   *
   * @param silence {@link #SILENCE}, or less in a test
   */
  void stopSilent(Duration silence);

  Optional<Rehearsal> find(RehearsalId id);

  /** The latest ones, newest first. */
  List<Rehearsal> latest(int max);

  /** The latest one of a coupon that has a result. */
  Optional<Rehearsal> latestResult(CouponId couponId);

  /**
   * Clones that are not archived although their rehearsals are {@link Rehearsal.State#REMOVED}: an
   * instance that was frozen has defined them afterwards.
   */
  List<CouponId> lateClones();

  /** The result of removing rows. */
  enum Removal {
    /** There may be more rows. */
    MORE,
    /** All is removed; the rehearsal is {@link Rehearsal.State#REMOVED}. */
    DONE,
    /** Something still needs the rows, another instance is removing them, or it is too early. */
    WAIT
  }

  /**
   * Removes the next rows of the clone of a rehearsal that has ended. The clone must be archived
   * and its stock be removed. From the first removal on, the clone is unknown to {@link
   * UserCouponRepository#record}. The coupon itself stays, without user coupons: it keeps what is
   * still in transit from being restored. If there is no clone, the rehearsal must be silent, so
   * that none is defined later.
   *
   * @param max rows of this step
   * @param arePublished whether its events are published, which need the rows; otherwise they are
   *     removed
   */
  Removal removeRows(RehearsalId id, int max, boolean arePublished);
}
