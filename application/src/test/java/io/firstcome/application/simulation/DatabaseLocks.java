package io.firstcome.application.simulation;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the transaction of a database call holds until it ends: exclusive ones on rows,
 * slots and raised epochs, and shared ones on the epochs of written rows.
 */
final class DatabaseLocks {

  static final DatabaseLocks NONE = new DatabaseLocks();

  private final Set<Object> exclusive = new HashSet<>();
  private final Set<Object> shared = new HashSet<>();

  private DatabaseLocks() {}

  private record SlotOfCoupon(CouponId couponId, Slot slot) {}

  private record Late(Owner owner) {}

  @SuppressWarnings("unchecked")
  static DatabaseLocks of(Method method, List<@Nullable Object> arguments) {
    var port = method.getDeclaringClass().getSimpleName();
    return switch (port + "." + method.getName()) {
      case "UserCouponRepository.record" -> ofClaims((List<AcceptedClaim>) first(arguments));
      case "UserCouponRepository.change" -> ofChanges(first(arguments));
      case "LateClaimRepository.add" -> ofLateClaims((List<LateClaim>) first(arguments));
      case "LateClaimRepository.settle" -> ofSettlement((LateClaimSettlement) first(arguments));
      case "PartitionEpochs.raise" -> ofEpoch((Partition) first(arguments));
      default -> NONE;
    };
  }

  private static Object first(List<@Nullable Object> arguments) {
    return requireNonNull(arguments.getFirst());
  }

  private static DatabaseLocks ofClaims(List<AcceptedClaim> claims) {
    var locks = new DatabaseLocks();
    for (var claim : claims) {
      locks.shared.add(claim.partition());
      locks.exclusive.add(new Owner(claim.couponId(), claim.userId()));
      locks.exclusive.add(new SlotOfCoupon(claim.couponId(), claim.slot()));
    }
    return locks;
  }

  /** The locks of one change, or of a list of them. */
  private static DatabaseLocks ofChanges(Object changes) {
    var locks = new DatabaseLocks();
    for (var each : changes instanceof List<?> list ? list : List.of(changes)) {
      var before = ((UserCouponChange) each).before();
      locks.exclusive.add(new Owner(before.couponId(), before.userId()));
    }
    return locks;
  }

  private static DatabaseLocks ofLateClaims(List<LateClaim> claims) {
    var locks = new DatabaseLocks();
    claims.forEach(
        claim -> locks.exclusive.add(new Late(new Owner(claim.couponId(), claim.userId()))));
    return locks;
  }

  private static DatabaseLocks ofSettlement(LateClaimSettlement settlement) {
    var locks = ofClaims(settlement.adopted());
    locks.shared.add(settlement.partition());
    settlement
        .users()
        .forEach(user -> locks.exclusive.add(new Late(new Owner(settlement.couponId(), user))));
    return locks;
  }

  /** The locks of a transaction that replaces an owner by a pseudonym. */
  static DatabaseLocks ofErasure(Partition partition, Owner owner) {
    var locks = new DatabaseLocks();
    locks.shared.add(partition);
    locks.exclusive.add(owner);
    return locks;
  }

  private static DatabaseLocks ofEpoch(Partition partition) {
    var locks = new DatabaseLocks();
    locks.exclusive.add(partition);
    return locks;
  }

  boolean isEmpty() {
    return exclusive.isEmpty() && shared.isEmpty();
  }

  /** Whether transactions with these and the other locks cannot be open at the same time. */
  boolean conflictWith(DatabaseLocks other) {
    return exclusive.stream()
            .anyMatch(lock -> other.exclusive.contains(lock) || other.shared.contains(lock))
        || shared.stream().anyMatch(other.exclusive::contains);
  }

  /** Whether an epoch is being raised. */
  boolean areOfRaisedEpoch() {
    return exclusive.stream().anyMatch(Partition.class::isInstance);
  }
}
