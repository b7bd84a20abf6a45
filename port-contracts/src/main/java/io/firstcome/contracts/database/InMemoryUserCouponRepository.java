package io.firstcome.contracts.database;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link UserCouponRepository} in memory. */
final class InMemoryUserCouponRepository implements UserCouponRepository {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryUserCouponRepository(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public List<RecordOutcome> record(List<AcceptedClaim> claims) {
    return database.transaction(() -> new InMemoryRecording(tables, database.now()).record(claims));
  }

  @Override
  public Optional<UserCoupon> find(CouponId couponId, UserId userId) {
    return database.transaction(
        () -> Optional.ofNullable(tables.rows(couponId).byUser.get(userId)));
  }

  @Override
  public Map<CouponId, UserCoupon> findAll(UserId userId, Collection<CouponId> couponIds) {
    return database.transaction(() -> {
      var found = new HashMap<CouponId, UserCoupon>();
      for (var couponId : couponIds) {
        var row = tables.rows(couponId).byUser.get(userId);
        if (row != null) {
          found.put(couponId, row);
        }
      }
      return found;
    });
  }

  @Override
  public Map<UserId, UserCoupon> findAll(CouponId couponId, Collection<UserId> userIds) {
    return database.transaction(() -> {
      var found = new HashMap<>(tables.rows(couponId).byUser);
      found.keySet().retainAll(userIds);
      return found;
    });
  }

  @Override
  public Set<UserId> owners(CouponId couponId, Collection<UserId> users) {
    return database.transaction(() -> {
      var owners = new TreeSet<>(users);
      owners.retainAll(tables.rows(couponId).byUser.keySet());
      return owners;
    });
  }

  @Override
  public Optional<UserCoupon> find(UserCouponId id) {
    return database.transaction(() ->
        tables.rows(id.couponId()).byUser.values().stream()
            .filter(userCoupon -> userCoupon.id().equals(id))
            .findAny());
  }

  @Override
  public Optional<UserCoupon> find(CouponCode code) {
    return database.transaction(() ->
        tables
            .userCoupons()
            .filter(userCoupon -> userCoupon.identity().code().equals(code))
            .findAny());
  }

  @Override
  public List<UserCoupon> page(
      UserId owner,
      @Nullable UserCouponState state,
      Instant now,
      @Nullable UserCouponCursor after,
      int max) {
    return database.transaction(() ->
        of(owner)
            .filter(userCoupon -> state == null || userCoupon.at(now).state() == state)
            .filter(
                userCoupon -> after == null || UserCouponCursor.of(userCoupon).compareTo(after) > 0)
            .sorted(Comparator.comparing(UserCouponCursor::of))
            .limit(max)
            .toList());
  }

  @Override
  public List<UserCoupon> usableFirst(UserId owner, int max) {
    return database.transaction(() ->
        of(owner)
            .sorted(
                Comparator.comparing(InMemoryUserCouponRepository::isOver)
                    .thenComparing(UserCouponCursor::of))
            .limit(max)
            .toList());
  }

  private Stream<UserCoupon> of(UserId owner) {
    return tables.userCoupons().filter(userCoupon -> userCoupon.userId().equals(owner));
  }

  private static boolean isOver(UserCoupon recorded) {
    return switch (recorded) {
      case UserCoupon.Issued _, UserCoupon.Held _ -> false;
      case UserCoupon.Used _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          true;
    };
  }

  @Override
  public Optional<RecordedRedemption> findRedemption(RedemptionId id) {
    return database.transaction(
        () -> Optional.ofNullable(tables.rows(id.userCouponId().couponId()).redemptions.get(id)));
  }

  @Override
  public List<RecordedRedemption> redemptions(ShopId shop, OrderId order, int max) {
    return database.transaction(() ->
        tables
            .redemptions()
            .filter(recorded -> shop.equals(recorded.redemption().shop()))
            .filter(recorded -> recorded.id().orderId().equals(order))
            .sorted(Comparator.comparing(recorded -> recorded.id().userCouponId().toString()))
            .limit(max)
            .toList());
  }

  @Override
  public Set<UserCouponId> change(List<UserCouponChange> changes) {
    requireEachOnce(changes);
    return database.transaction(() -> {
      var recorded = new HashSet<UserCouponId>();
      for (var change : changes) {
        if (record(change)) {
          recorded.add(change.after().id());
        }
      }
      return recorded;
    });
  }

  private static void requireEachOnce(List<UserCouponChange> changes) {
    var seen = new HashSet<UserCouponId>();
    for (var change : changes) {
      if (!seen.add(change.after().id())) {
        throw new IllegalArgumentException(
            "changes must be of different user coupons: two of " + change.after().id());
      }
    }
  }

  private boolean record(UserCouponChange change) {
    var rows = tables.rows(change.before().couponId());
    var stored = rows.byUser.get(change.before().userId());
    if (stored == null
        || !stored.id().equals(change.before().id())
        || stored.revision() != change.before().revision()) {
      return false;
    }
    rows.byUser.put(stored.userId(), change.after());
    ended(change).ifPresent(ended -> rows.redemptions.put(ended.id(), ended));
    made(change).ifPresent(made -> rows.redemptions.put(made.id(), made));
    if (change.after().slotWentBack()) {
      rows.slotWentBack(stored);
      tables.slotReturns.put(stored.id(), stored.userId());
    }
    tables.addToAudit(AuditEntry.of(change));
    tables.addToOutbox(CouponEvent.of(change));
    return true;
  }

  private static Optional<RecordedRedemption> made(UserCouponChange change) {
    return switch (change.after()) {
      case UserCoupon.Held held ->
          Optional.of(recorded(change, held.redemption(), State.HELD, held.until()));
      case UserCoupon.Used used ->
          Optional.of(recorded(change, used.redemption(), State.CONFIRMED, null));
      case UserCoupon.Issued _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          Optional.empty();
    };
  }

  /** Replaced by {@link #made} if the step continues the redemption. */
  private static Optional<RecordedRedemption> ended(UserCouponChange change) {
    return switch (change.before()) {
      case UserCoupon.Held held ->
          Optional.of(recorded(change, held.redemption(), State.RELEASED, null));
      case UserCoupon.Used used ->
          Optional.of(recorded(change, used.redemption(), State.UNDONE, null));
      case UserCoupon.Issued _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          Optional.empty();
    };
  }

  private static RecordedRedemption recorded(
      UserCouponChange change, Redemption redemption, State state, @Nullable Instant until) {
    var id = new RedemptionId(change.before().id(), redemption.orderId());
    return new RecordedRedemption(id, redemption, state, until, change.at());
  }

  @Override
  public List<UserCoupon> overdue(Instant now, int max) {
    return database.transaction(() -> {
      var earlier = now.isBefore(database.now()) ? now : database.now();
      return tables
          .userCoupons()
          .filter(userCoupon -> isOverdue(userCoupon, earlier))
          .sorted(
              Comparator.<UserCoupon, Instant>comparing(one -> one.ownership().expiresAt())
                  .thenComparingInt(one -> one.ownership().slot().number())
                  .thenComparing(one -> one.id().toString()))
          .limit(max)
          .toList();
    });
  }

  private static boolean isOverdue(UserCoupon stored, Instant now) {
    return switch (stored) {
      case UserCoupon.Issued _, UserCoupon.Held _ -> stored.at(now) instanceof UserCoupon.Expired;
      case UserCoupon.Used _, UserCoupon.Expired _, UserCoupon.Returned _, UserCoupon.Revoked _ ->
          false;
    };
  }

  @Override
  public Map<UserCouponState, Long> countByState(CouponId couponId, Instant now) {
    return database.transaction(() -> {
      var counts = new EnumMap<UserCouponState, Long>(UserCouponState.class);
      for (var state : UserCouponState.values()) {
        counts.put(state, 0L);
      }
      tables
          .rows(couponId)
          .byUser
          .values()
          .forEach(row -> counts.merge(row.at(now).state(), 1L, Long::sum));
      return counts;
    });
  }

  @Override
  public List<SlotOwner> slotOwners(CouponId couponId, @Nullable SlotOwner after, int max) {
    return database.transaction(() -> {
      var owners = tables.rows(couponId).slotOwners;
      return (after == null ? owners : owners.tailSet(after, false)).stream().limit(max).toList();
    });
  }

  @Override
  public long duplicateUsers(CouponId couponId) {
    // A map by user cannot hold a second one.
    return database.transaction(() -> 0L);
  }
}
