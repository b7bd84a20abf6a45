package io.firstcome.contracts.database;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@link LateClaimRepository} in memory. */
final class InMemoryLateClaimRepository implements LateClaimRepository {

  private static final Comparator<LateClaim> BY_SLOT =
      Comparator.comparing(LateClaim::promised).thenComparing(LateClaim::userId);

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryLateClaimRepository(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public void add(List<LateClaim> claims) {
    database.transaction(() -> {
      claims.forEach(this::requireKnownCoupon);
      claims.forEach(claim -> InMemoryRecording.keep(tables, claim));
      return true;
    });
  }

  @Override
  public List<LateClaim> next(Partition partition, @Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.keySet().stream()
            .filter(couponId -> after == null || couponId.compareTo(after) > 0)
            .sorted()
            .filter(couponId -> after == null || couponId.compareTo(after) > 0)
            .map(couponId -> lateOf(couponId, partition, max))
            .filter(claims -> !claims.isEmpty())
            .findFirst()
            .orElse(List.of()));
  }

  @Override
  public int count(int max) {
    return database.transaction(() -> (int) all().limit(max).count());
  }

  private Stream<LateClaim> all() {
    return tables.coupons.keySet().stream()
        .flatMap(couponId -> tables.rows(couponId).late.values().stream());
  }

  @Override
  public Optional<Partition> highestPartition() {
    return database.transaction(
        () -> all().map(LateClaim::partition).max(Comparator.naturalOrder()));
  }

  @Override
  public List<LateClaim> page(CouponId couponId, @Nullable UserId after, int max) {
    return database.transaction(() ->
        tables.rows(couponId).late.values().stream()
            .filter(claim -> after == null || claim.userId().compareTo(after) > 0)
            .limit(max)
            .toList());
  }

  @Override
  public Map<UserId, LateClaim> waiting(CouponId couponId, Collection<UserId> users) {
    return database.transaction(() -> {
      var waiting = new TreeMap<>(tables.rows(couponId).late);
      waiting.keySet().retainAll(Set.copyOf(users));
      return waiting;
    });
  }

  @Override
  public Set<UserId> settle(LateClaimSettlement settlement) {
    return database.transaction(() -> {
      if (!tables.epoch(settlement.partition()).equals(settlement.epoch())) {
        return settlement.users();
      }
      var staying = new TreeSet<UserId>();
      var adopted = settlement.adopted();
      var outcomes = new InMemoryRecording(tables, database.now()).record(adopted);
      var rows = tables.rows(settlement.couponId());
      for (int i = 0; i < outcomes.size(); i++) {
        var user = adopted.get(i).userId();
        if (endsLateClaim(outcomes.get(i))) {
          rows.late.remove(user);
        } else {
          staying.add(user);
        }
      }
      settlement.rejected().forEach(user -> rows.rejected.putIfAbsent(user, settlement.at()));
      settlement.rejected().forEach(rows.late::remove);
      settlement.done().forEach(rows.late::remove);
      return staying;
    });
  }

  @Override
  public Map<CouponId, LateClaim> waiting(UserId user, Collection<CouponId> couponIds) {
    return database.transaction(() -> {
      var found = new HashMap<CouponId, LateClaim>();
      for (var couponId : couponIds) {
        var late = tables.rows(couponId).late.get(user);
        if (late != null) {
          found.put(couponId, late);
        }
      }
      return found;
    });
  }

  @Override
  public Set<CouponId> rejected(UserId user, Collection<CouponId> couponIds) {
    return database.transaction(() ->
        couponIds.stream()
            .filter(couponId -> tables.rows(couponId).rejected.containsKey(user))
            .collect(Collectors.toSet()));
  }

  @Override
  public boolean isRejected(CouponId couponId, UserId userId) {
    return database.transaction(() -> tables.rows(couponId).rejected.containsKey(userId));
  }

  @Override
  public List<UserId> rejected(CouponId couponId, @Nullable UserId after, int max) {
    return database.transaction(() ->
        tables.rows(couponId).rejected.keySet().stream()
            .filter(user -> after == null || user.compareTo(after) > 0)
            .limit(max)
            .toList());
  }

  private List<LateClaim> lateOf(CouponId couponId, Partition partition, int max) {
    return tables.rows(couponId).late.values().stream()
        .filter(claim -> claim.partition().equals(partition))
        .sorted(BY_SLOT)
        .limit(max)
        .toList();
  }

  private void requireKnownCoupon(LateClaim claim) {
    if (!tables.coupons.containsKey(claim.couponId())) {
      var reason = "a late claim is of a coupon that does not exist";
      throw new UnrecordableException(reason, new IllegalArgumentException(reason));
    }
  }

  private static boolean endsLateClaim(RecordOutcome outcome) {
    return switch (outcome) {
      case RecordOutcome.Recorded r -> true;
      case RecordOutcome.AlreadyRecorded a -> true;
      case RecordOutcome.UserHasOtherSlot o -> true;
      case RecordOutcome.SlotTaken t -> false;
      case RecordOutcome.Late l -> false;
      case RecordOutcome.UnknownCoupon u -> false;
      case RecordOutcome.SlotOutOfRange s -> false;
    };
  }
}
