package io.firstcome.application.erasure;

import io.firstcome.application.paging.Pages;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.issuance.Pseudonyms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.MissingCodeKeyException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Erases users at the request of operators: replaces the user id by a pseudonym in the rows and in
 * the stock of each coupon that the user has or had, and removes the user from waiting rooms. The
 * user still cannot claim these coupons again.
 *
 * <p>An erasure waits until every claim that was accepted before the request is recorded, and until
 * the events of its user coupons are published. A claim that the user sends later is a new one, and
 * is not erased by the earlier request. Several instances may run this at once.
 */
public final class EraseUsers {

  private static final int COUPONS_A_PAGE = 100;

  private final UserErasures erasures;
  private final CouponRepository coupons;
  private final CouponStock stock;
  private final @Nullable WaitingRooms rooms;
  private final KnownEpochs epochs;
  private final HandoffLog log;
  private final List<Partition> partitions;
  private final CodeKeys codeKeys;
  private final boolean eventsArePublished;
  private final InstantSource clock;
  private final ProcessClock processClock;

  /** When this round and the one before first saw their erasures, by the monotonic clock. */
  private Map<ErasureId, Long> seen = new HashMap<>();

  private Map<ErasureId, Long> seenBefore = Map.of();

  /** The erasure that was tried last in this round; null before the first one. */
  private @Nullable ErasureId last;

  /**
   * @param rooms null if this deployment has none
   * @param partitions whose logs may have claims that are not recorded
   * @param eventsArePublished whether this deployment has a broker
   * @param clock the database's
   */
  public EraseUsers(
      UserErasures erasures,
      CouponRepository coupons,
      CouponStock stock,
      @Nullable WaitingRooms rooms,
      KnownEpochs epochs,
      HandoffLog log,
      List<Partition> partitions,
      CodeKeys codeKeys,
      boolean eventsArePublished,
      InstantSource clock,
      ProcessClock processClock) {
    this.erasures = erasures;
    this.coupons = coupons;
    this.stock = stock;
    this.rooms = rooms;
    this.epochs = epochs;
    this.log = log;
    this.partitions = List.copyOf(partitions);
    this.codeKeys = codeKeys;
    this.eventsArePublished = eventsArePublished;
    this.clock = clock;
    this.processClock = processClock;
  }

  /**
   * Stores a request to erase the user. Idempotent until it has ended.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public Erasure request(UserId user, Actor operator) {
    return erasures.request(user, operator, clock.instant());
  }

  /** The stored request, whether or not it has ended. */
  public Optional<Erasure> find(ErasureId id) {
    return erasures.find(id);
  }

  /**
   * Tries the next erasure of this round. For use by one thread.
   *
   * @return false if this round over all of them is done
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   * @throws StockUnavailableException if the stock's log is not reachable
   */
  public boolean eraseNext() {
    var pending = erasures.pending(last, 1);
    if (pending.isEmpty()) {
      last = null;
      seenBefore = seen;
      seen = new HashMap<>();
      return false;
    }
    var erasure = pending.getFirst();
    last = erasure.id();
    var user = Objects.requireNonNull(erasure.userId());
    if (!seenBefore.containsKey(last) && !forgetTickets(user).isEmpty()) {
      erasures.noteObstacle(last, Obstacle.STOCK);
      return true;
    }
    // Only after the tickets are gone: a room may have claimed for the user just before.
    seen.put(last, seenBefore.getOrDefault(last, processClock.nanos()));
    erase(erasure, user);
    return true;
  }

  private void erase(Erasure erasure, UserId user) {
    var obstacle = eraseEverywhere(erasure, user);
    if (obstacle.isPresent()) {
      erasures.noteObstacle(erasure.id(), obstacle.get());
    } else {
      erasures.end(erasure.id(), clock.instant());
    }
  }

  /**
   * The first obstacle of all coupons; one does not keep the user in the others. Waiting rooms come
   * last, as all of them are visited.
   */
  private Optional<Obstacle> eraseEverywhere(Erasure erasure, UserId user) {
    long sinceSeen = processClock.nanos() - Objects.requireNonNull(seen.get(erasure.id()));
    if (!areClaimsRecorded(Duration.ofNanos(sinceSeen))) {
      return Optional.of(Obstacle.UNRECORDED_CLAIMS);
    }
    var obstacles = new ArrayList<Obstacle>();
    erasures.unrecorded(user).ifPresent(obstacles::add);
    CouponId after = null;
    for (var page = erasures.coupons(user, after, COUPONS_A_PAGE);
        !page.isEmpty();
        page = erasures.coupons(user, after, COUPONS_A_PAGE)) {
      for (var couponId : page) {
        after = couponId;
        coupons
            .find(couponId)
            .flatMap(coupon -> erase(erasure.id(), coupon, user))
            .ifPresent(obstacles::add);
      }
    }
    if (obstacles.isEmpty()) {
      obstacles.addAll(forgetTickets(user));
    }
    return obstacles.stream().findFirst();
  }

  /** No row has a user who has only joined waiting rooms, so all of them are visited. */
  private List<Obstacle> forgetTickets(UserId user) {
    var obstacles = new ArrayList<Obstacle>();
    if (rooms != null) {
      Pages.<Coupon, CouponId>forEach(
          after -> coupons.withWaitingRooms(after, COUPONS_A_PAGE),
          Coupon::id,
          page -> page.forEach(coupon -> forgetTicket(rooms, coupon, user, obstacles)));
    }
    return obstacles;
  }

  private void forgetTicket(
      WaitingRooms ofCoupons, Coupon coupon, UserId user, List<Obstacle> obstacles) {
    try {
      ofCoupons.forget(epochs.address(coupon), user);
    } catch (StockUnavailableException e) {
      obstacles.add(Obstacle.STOCK);
    }
  }

  /**
   * Whether no log has a claim that was accepted before that time, and so none from before the
   * request. Claims leave the log when they are recorded, late, or in a dead letter. The time of
   * the request is not compared, as the clock of the database may have been wrong.
   */
  private boolean areClaimsRecorded(Duration before) {
    return partitions.stream().map(log::depth).allMatch(depth -> isEmptySince(depth, before));
  }

  private static boolean isEmptySince(LogDepth depth, Duration before) {
    var oldest = depth.oldest();
    return oldest == null
        || (!oldest.isAfter(depth.asOf()) && depth.oldestAge().compareTo(before) < 0);
  }

  private Optional<Obstacle> erase(ErasureId id, Coupon coupon, UserId user) {
    try {
      var pseudonym = pseudonyms(coupon).of(user);
      return erasures.erase(
          id, coupon.id(), pseudonym, eventsArePublished, () -> eraseInStock(coupon, user));
    } catch (StockUnavailableException e) {
      return Optional.of(Obstacle.STOCK);
    } catch (MissingCodeKeyException e) {
      return Optional.of(Obstacle.CODE_KEY);
    }
  }

  /** An archived coupon cannot be claimed, and its key may be gone: any other one does there. */
  private Pseudonyms pseudonyms(Coupon coupon) {
    int version = coupon.codeKeyVersion();
    return codeKeys.pseudonyms(
        coupon.status() == CouponStatus.ARCHIVED && !codeKeys.isInstalled(version)
            ? codeKeys.activeVersion()
            : version);
  }

  /**
   * The mark of another coupon of the campaign stays until that coupon's row is erased: the user's
   * claim of it may not be recorded yet. Before this coupon has the pseudonym, claims of the others
   * are compared with it: they would not count this coupon otherwise.
   */
  private void eraseInStock(Coupon coupon, UserId user) {
    if (!coupon.hasStock()) {
      return;
    }
    var campaign = coupon.campaign();
    if (campaign != null) {
      campaign.others(coupon.id()).stream()
          .flatMap(id -> coupons.find(id).stream())
          .filter(Coupon::hasStock)
          .forEach(other -> stock.expectPseudonyms(epochs.address(other)));
    }
    stock.erase(epochs.address(coupon), user, pseudonyms(coupon).of(user));
  }
}
