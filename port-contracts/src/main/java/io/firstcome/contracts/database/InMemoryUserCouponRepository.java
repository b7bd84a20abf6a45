package io.firstcome.contracts.database;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
    return database.transaction(() -> new InMemoryRecording(tables).record(claims));
  }

  @Override
  public Optional<UserCoupon> find(CouponId couponId, UserId userId) {
    return database.transaction(
        () -> Optional.ofNullable(tables.rows(couponId).byUser.get(userId)));
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
  public Optional<Redemption> findRedemption(RedemptionId id) {
    return database.transaction(
        () -> Optional.ofNullable(tables.rows(id.userCouponId().couponId()).redemptions.get(id)));
  }

  @Override
  public boolean change(UserCouponChange change) {
    return database.transaction(() -> {
      var rows = tables.rows(change.before().couponId());
      var stored = rows.byUser.get(change.before().userId());
      if (stored == null
          || !stored.id().equals(change.before().id())
          || stored.revision() != change.before().revision()) {
        return false;
      }
      rows.byUser.put(stored.userId(), change.after());
      change
          .redemption()
          .ifPresent(redemption ->
              rows.redemptions.put(
                  new RedemptionId(stored.id(), redemption.orderId()), redemption));
      if (slotWentBack(change.after())) {
        rows.liveBySlot.remove(stored.slot());
        rows.generations.put(stored.slot(), stored.ownership().generation());
      }
      return true;
    });
  }

  private static boolean slotWentBack(UserCoupon userCoupon) {
    return switch (userCoupon) {
      case UserCoupon.Returned returned -> returned.slotWentBack();
      case UserCoupon.Revoked revoked -> revoked.slotWentBack();
      case UserCoupon.Issued _, UserCoupon.Held _, UserCoupon.Used _, UserCoupon.Expired _ -> false;
    };
  }

  @Override
  public List<SlotClaim> holders(CouponId couponId, @Nullable Slot after, int max) {
    return database.transaction(() ->
        tables.rows(couponId).liveBySlot.entrySet().stream()
            .filter(holder -> after == null || holder.getKey().compareTo(after) > 0)
            .limit(max)
            .map(holder -> new SlotClaim(holder.getValue(), holder.getKey()))
            .toList());
  }

  @Override
  public long duplicateUsers(CouponId couponId) {
    // A map by user cannot hold a second one.
    return database.transaction(() -> 0L);
  }
}
