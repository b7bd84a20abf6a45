package io.firstcome.contracts.database;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
  public Map<UserId, UserCoupon> find(CouponId couponId, Collection<UserId> users) {
    return database.transaction(() -> {
      var found = new TreeMap<UserId, UserCoupon>();
      for (var user : users) {
        var row = tables.rows(couponId).byUser.get(user);
        if (row != null) {
          found.put(user, row);
        }
      }
      return found;
    });
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
