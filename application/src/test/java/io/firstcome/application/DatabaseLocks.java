package io.firstcome.application;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the transaction of a call to the database holds until it ends: rows and slots, which are one
 * transaction's alone, and epochs, which those that write rows share.
 */
final class DatabaseLocks {

  static final DatabaseLocks NONE = new DatabaseLocks();

  private final Set<Object> alone = new HashSet<>();
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
      case "LateClaimRepository.settle" -> ofSettlement(arguments);
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
      locks.alone.add(new Owner(claim.couponId(), claim.userId()));
      locks.alone.add(new SlotOfCoupon(claim.couponId(), claim.slot()));
    }
    return locks;
  }

  /** Of one change, or of a list of them. */
  private static DatabaseLocks ofChanges(Object changes) {
    var locks = new DatabaseLocks();
    for (var each : changes instanceof List<?> list ? list : List.of(changes)) {
      var before = ((UserCouponChange) each).before();
      locks.alone.add(new Owner(before.couponId(), before.userId()));
    }
    return locks;
  }

  private static DatabaseLocks ofLateClaims(List<LateClaim> claims) {
    var locks = new DatabaseLocks();
    claims.forEach(claim -> locks.alone.add(new Late(new Owner(claim.couponId(), claim.userId()))));
    return locks;
  }

  @SuppressWarnings("unchecked")
  private static DatabaseLocks ofSettlement(List<@Nullable Object> arguments) {
    var locks = ofClaims((List<AcceptedClaim>) requireNonNull(arguments.get(3)));
    locks.shared.add(first(arguments));
    ((List<AcceptedClaim>) requireNonNull(arguments.get(3)))
        .forEach(claim -> locks.alone.add(new Late(new Owner(claim.couponId(), claim.userId()))));
    var couponId = (CouponId) requireNonNull(arguments.get(2));
    for (int list = 4; list <= 5; list++) {
      ((List<UserId>) requireNonNull(arguments.get(list)))
          .forEach(user -> locks.alone.add(new Late(new Owner(couponId, user))));
    }
    return locks;
  }

  private static DatabaseLocks ofEpoch(Partition partition) {
    var locks = new DatabaseLocks();
    locks.alone.add(partition);
    return locks;
  }

  boolean isEmpty() {
    return alone.isEmpty() && shared.isEmpty();
  }

  /** Whether the transactions of both cannot be open at a time. */
  boolean conflictWith(DatabaseLocks other) {
    return alone.stream()
            .anyMatch(lock -> other.alone.contains(lock) || other.shared.contains(lock))
        || shared.stream().anyMatch(other.alone::contains);
  }

  /** Whether an epoch is being raised. */
  boolean areOfRaisedEpoch() {
    return alone.stream().anyMatch(Partition.class::isInstance);
  }
}
