package io.firstcome.application.coupon;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.BoundedMaps;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

/**
 * A cache of coupons by id. It has no drafts, which nobody can claim.
 *
 * <p>Concurrent callers that ask for an id which is not cached share one query. Later, no caller
 * waits for the database because of a cached coupon that is not archived: it is read again beside
 * the callers. So a coupon may be outdated by some seconds, which is harmless: the stock backend
 * decides by its own status and quantity. What users rely on changes only before the first claim,
 * and {@link #of} never returns a coupon from before that. That a coupon is archived, {@link
 * #isArchived} checks.
 */
public final class CouponCatalog {

  /** About 100 MB at most. */
  private static final int MAX_COUPONS = 100_000;

  /**
   * How long an id is known not to exist. It bounds the queries for an unknown id, and the time
   * until this instance knows a coupon that another one has defined.
   */
  static final Duration ABSENT_FOR = Duration.ofMillis(250);

  /** When a coupon in use is read again, to see a change by another instance. */
  static final Duration REFRESH_AFTER = Duration.ofSeconds(10);

  /**
   * How often the database is asked whether a coupon is archived by now. Every fenced claim asks,
   * and that is rarely the reason.
   */
  private static final Duration CHECK_ARCHIVED_AFTER = Duration.ofMillis(100);

  /**
   * How often the database is asked whether an archived coupon is still archived: it is not after
   * the database was set back to a time before the archiving. Claims of an archived coupon are
   * answered from the database anyway, so one query more in this time costs little.
   */
  private static final Duration CONFIRM_ARCHIVED_AFTER = Duration.ofSeconds(1);

  private final CouponRepository coupons;
  private final InstantSource clock;
  private final Executor reading;
  private final ConcurrentMap<CouponId, CompletableFuture<CachedCoupon>> cached;

  /**
   * @param reading runs reads that the caller does not wait for
   */
  public CouponCatalog(
      CouponRepository coupons, BoundedMaps maps, Executor reading, InstantSource clock) {
    this.coupons = coupons;
    this.clock = clock;
    this.reading = reading;
    cached = maps.create(MAX_COUPONS);
  }

  /**
   * The coupon of that id.
   *
   * @throws DatabaseUnavailableException if it is not cached and the database is not reachable
   */
  public Optional<Coupon> find(CouponId couponId) {
    var future = future(couponId);
    var read = join(future);
    if (read.coupon.isEmpty()) {
      return read.isOlderThan(ABSENT_FOR, clock.instant())
          ? afterRemoval(couponId, future)
          : Optional.empty();
    }
    if (read.isArchived()) {
      return confirmed(couponId, future, read).coupon;
    }
    refresh(couponId, future, read);
    return read.coupon;
  }

  /**
   * The coupon of an accepted claim. That the id was unknown some milliseconds ago does not count,
   * since another instance can have published the coupon and accepted the claim since then.
   *
   * @throws DatabaseUnavailableException if it is not cached and the database is not reachable
   */
  public Optional<Coupon> ofAcceptedClaim(CouponId couponId) {
    return find(couponId).or(() -> readNow(couponId));
  }

  /**
   * Caches those of the coupons that are not cached, with one query.
   *
   * @throws DatabaseUnavailableException if one is not cached and the database is not reachable
   */
  public void load(Set<CouponId> couponIds) {
    var missing = couponIds.stream().filter(id -> !cached.containsKey(id)).toList();
    if (!missing.isEmpty()) {
      coupons.findAll(missing).forEach(this::remember);
    }
  }

  /**
   * The coupon of a user coupon, with the terms that it was claimed with.
   *
   * @throws DatabaseUnavailableException if it is not cached and the database is not reachable
   */
  public Coupon of(UserCoupon userCoupon) {
    int termsRevision = userCoupon.ownership().termsRevision();
    return find(userCoupon.couponId())
        .filter(coupon -> coupon.revision() >= termsRevision)
        .or(() -> readNow(userCoupon.couponId()))
        .orElseThrow(() -> new IllegalStateException("no coupon of " + userCoupon.id()));
  }

  private Optional<Coupon> readNow(CouponId couponId) {
    var read = published(couponId);
    read.ifPresent(this::remember);
    return read;
  }

  private Optional<Coupon> published(CouponId couponId) {
    return coupons.find(couponId).filter(Coupon::isPublished);
  }

  /**
   * Whether the slot of a user coupon that ends now goes back to stock.
   *
   * @throws DatabaseUnavailableException if the database is not reachable
   */
  public boolean takesSlotsBack(UserCoupon userCoupon) {
    var coupon = of(userCoupon);
    return coupon.definition().returnsToStock() && !isArchived(coupon);
  }

  /**
   * Whether the coupon is archived. For callers that found no stock of it, or are about to return a
   * slot: unless it is known to be archived, the database is asked, at limited intervals.
   *
   * @throws DatabaseUnavailableException if the database is not reachable
   */
  public boolean isArchived(Coupon coupon) {
    var future = future(coupon.id());
    var read = join(future);
    if (read.isArchived()) {
      return confirmed(coupon.id(), future, read).isArchived();
    }
    return read.takesTurnToRead(CHECK_ARCHIVED_AFTER, clock.instant())
        ? readAgain(coupon.id(), future, read).isArchived()
        : read.isArchived();
  }

  /**
   * Caches a coupon whose definition or change is committed, unless it is a draft or a later
   * revision is cached.
   */
  public void remember(Coupon coupon) {
    if (!coupon.isPublished()) {
      return;
    }
    var committed =
        CompletableFuture.completedFuture(new CachedCoupon(Optional.of(coupon), clock.instant()));
    cached.merge(
        coupon.id(),
        committed,
        (before, _) ->
            before.state() == CompletableFuture.State.SUCCESS
                    && before.resultNow().hasRevision(coupon.revision())
                ? before
                : committed);
  }

  /** The coupon, or a later revision of it that is cached. Never calls the database. */
  public Coupon latest(Coupon coupon) {
    var present = cached.get(coupon.id());
    return present != null && present.state() == CompletableFuture.State.SUCCESS
        ? present
            .resultNow()
            .coupon
            .filter(other -> other.revision() > coupon.revision())
            .orElse(coupon)
        : coupon;
  }

  /** The cached read, or a new one, which this thread or another one carries out. */
  private CompletableFuture<CachedCoupon> future(CouponId couponId) {
    var present = cached.get(couponId);
    if (present != null) {
      return present;
    }
    var future = new CompletableFuture<CachedCoupon>();
    var first = cached.putIfAbsent(couponId, future);
    if (first != null) {
      return first;
    }
    try {
      future.complete(new CachedCoupon(published(couponId), clock.instant()));
    } catch (Throwable e) {
      cached.remove(couponId, future);
      future.completeExceptionally(e);
    }
    return future;
  }

  private static CachedCoupon join(CompletableFuture<CachedCoupon> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  /** All callers wait for the one that reads the id again. */
  private Optional<Coupon> afterRemoval(
      CouponId couponId, CompletableFuture<CachedCoupon> outdated) {
    cached.remove(couponId, outdated);
    return join(future(couponId)).coupon;
  }

  /** While the database is not reachable, its last answer is used. */
  private CachedCoupon confirmed(
      CouponId couponId, CompletableFuture<CachedCoupon> future, CachedCoupon archived) {
    if (!archived.takesTurnToRead(CONFIRM_ARCHIVED_AFTER, clock.instant())) {
      return archived;
    }
    try {
      return readAgain(couponId, future, archived);
    } catch (DatabaseUnavailableException e) {
      return archived;
    }
  }

  private void refresh(
      CouponId couponId, CompletableFuture<CachedCoupon> future, CachedCoupon outdated) {
    var now = clock.instant();
    if (outdated.isOlderThan(REFRESH_AFTER, now) && outdated.takesTurnToRead(REFRESH_AFTER, now)) {
      reading.execute(() -> {
        try {
          readAgain(couponId, future, outdated);
        } catch (DatabaseUnavailableException e) {
          // The cached coupon stays in use, and is read again after the next interval.
        }
      });
    }
  }

  /** A read that began before a change was remembered does not replace that change. */
  private CachedCoupon readAgain(
      CouponId couponId, CompletableFuture<CachedCoupon> future, CachedCoupon outdated) {
    var read = outdated.followedBy(published(couponId), clock.instant());
    cached.replace(couponId, future, CompletableFuture.completedFuture(read));
    return read;
  }
}
