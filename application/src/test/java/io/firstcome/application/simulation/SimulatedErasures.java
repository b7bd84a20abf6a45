package io.firstcome.application.simulation;

import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The erasures of the database. A transaction that erases a user calls the stock before it commits:
 * meanwhile it holds its locks, and other tasks run.
 */
final class SimulatedErasures {

  private final UserErasures target;
  private final List<Coupon> coupons;
  private final List<Transaction> open = new ArrayList<>();

  SimulatedErasures(UserErasures target, List<Coupon> coupons) {
    this.target = target;
    this.coupons = coupons;
  }

  /** An open transaction, until it commits or its session ends. */
  private record Transaction(Caller caller, DatabaseLocks locks) {}

  /** Whether an open transaction holds a lock that conflicts with these. */
  boolean block(DatabaseLocks locks) {
    return open.stream().anyMatch(transaction -> transaction.locks.conflictWith(locks));
  }

  /** Ends the sessions of an instance. */
  void endThoseOf(Caller caller) {
    open.removeIf(transaction -> transaction.caller.equals(caller));
  }

  /** Ends all sessions. */
  void endAll() {
    open.clear();
  }

  /**
   * The port for an instance.
   *
   * @param areLocked whether a frozen instance holds a lock that conflicts with these
   */
  UserErasures of(Caller caller, Predicate<DatabaseLocks> areLocked) {
    return new OfInstance(caller, areLocked);
  }

  /** Nothing keeps a user from being erased. */
  private static final class PossibleException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final class OfInstance implements UserErasures {

    private final Caller caller;
    private final Predicate<DatabaseLocks> areLocked;

    OfInstance(Caller caller, Predicate<DatabaseLocks> areLocked) {
      this.caller = caller;
      this.areLocked = areLocked;
    }

    @Override
    public Erasure request(UserId user, Actor operator, Instant at) {
      return target.request(user, operator, at);
    }

    @Override
    public Optional<Erasure> find(ErasureId id) {
      return target.find(id);
    }

    @Override
    public List<Erasure> pending(@Nullable ErasureId after, int max) {
      return target.pending(after, max);
    }

    @Override
    public void noteObstacle(ErasureId id, Obstacle obstacle) {
      target.noteObstacle(id, obstacle);
    }

    @Override
    public Optional<Obstacle> unrecorded(UserId user) {
      return target.unrecorded(user);
    }

    @Override
    public List<CouponId> coupons(UserId user, @Nullable CouponId after, int max) {
      return target.coupons(user, after, max);
    }

    @Override
    public Optional<Obstacle> erase(
        ErasureId id,
        CouponId couponId,
        UserId pseudonym,
        boolean eventsArePublished,
        Runnable inStock) {
      var user = target.find(id).map(Erasure::userId).orElse(null);
      if (user == null) {
        return Optional.empty();
      }
      var locks = DatabaseLocks.ofErasure(partitionOf(couponId), new Owner(couponId, user));
      if (areLocked.test(locks) || block(locks)) {
        throw new DatabaseLockedException(
            "timeout while waiting for the lock", new IllegalStateException("locked"));
      }
      var obstacle = obstacle(id, couponId, pseudonym, eventsArePublished);
      if (obstacle.isPresent()) {
        return obstacle;
      }
      var transaction = new Transaction(caller, locks);
      open.add(transaction);
      try {
        inStock.run();
        if (!open.contains(transaction)) {
          throw new DatabaseUnavailableException(
              Effect.NONE, "the session was ended", new IllegalStateException("ended"));
        }
        return target.erase(id, couponId, pseudonym, eventsArePublished, () -> {});
      } finally {
        open.remove(transaction);
      }
    }

    private Partition partitionOf(CouponId couponId) {
      return coupons.stream()
          .filter(coupon -> coupon.id().equals(couponId))
          .findAny()
          .orElseThrow()
          .partition();
    }

    /** Looks without a change, which comes after the call to the stock. */
    private Optional<Obstacle> obstacle(
        ErasureId id, CouponId couponId, UserId pseudonym, boolean eventsArePublished) {
      try {
        return target.erase(
            id,
            couponId,
            pseudonym,
            eventsArePublished,
            () -> {
              throw new PossibleException();
            });
      } catch (PossibleException e) {
        return Optional.empty();
      }
    }

    @Override
    public boolean end(ErasureId id, Instant at) {
      return target.end(id, at);
    }

    /** The same in every run, because histories contain it. */
    @Override
    public String toString() {
      return "erasures";
    }
  }
}
