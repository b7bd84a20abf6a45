package io.firstcome.application.coupon;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the database had of a coupon id when it was read. Thread-safe. */
final class CachedCoupon {

  final Optional<Coupon> coupon;
  private final Instant readAt;

  /** When a caller last began to read the coupon again; null if none did. */
  private final AtomicReference<@Nullable Instant> readAgainAt;

  /** The first read of an id. */
  CachedCoupon(Optional<Coupon> coupon, Instant readAt) {
    this(coupon, readAt, null);
  }

  private CachedCoupon(Optional<Coupon> coupon, Instant readAt, @Nullable Instant readAgainAt) {
    this.coupon = coupon;
    this.readAt = readAt;
    this.readAgainAt = new AtomicReference<>(readAgainAt);
  }

  /** A read that replaces this one, as an outdated one. */
  CachedCoupon followedBy(Optional<Coupon> later, Instant at) {
    return new CachedCoupon(later, at, at);
  }

  boolean isArchived() {
    return coupon.filter(read -> read.status() == CouponStatus.ARCHIVED).isPresent();
  }

  /** Whether it has that revision of the coupon, or a later one. */
  boolean hasRevision(int revision) {
    return coupon.filter(read -> read.revision() >= revision).isPresent();
  }

  /** Whether it was read longer ago than that. A clock that went back counts as well. */
  boolean isOlderThan(Duration age, Instant now) {
    return isOver(readAt, age, now);
  }

  /**
   * Whether the caller is to read the coupon again: true for the first caller, and then for one
   * caller in each interval.
   */
  boolean takesTurnToRead(Duration interval, Instant now) {
    var last = readAgainAt.get();
    return (last == null || isOver(last, interval, now)) && readAgainAt.compareAndSet(last, now);
  }

  private static boolean isOver(Instant since, Duration time, Instant now) {
    return now.isBefore(since) || !now.isBefore(since.plus(time));
  }
}
