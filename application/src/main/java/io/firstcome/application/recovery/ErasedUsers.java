package io.firstcome.application.recovery;

import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Pseudonyms;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The erased users of a coupon whose stock is rebuilt. Either the ledger or the row of such a user
 * may have been set back to the user id since.
 */
final class ErasedUsers {

  private final StockAddress address;
  private final StockRecovery recovery;
  private final UserCouponRepository userCoupons;
  private final Pseudonyms pseudonyms;

  private final Set<UserId> rejected = new HashSet<>();
  private boolean found;

  ErasedUsers(
      StockAddress address,
      StockRecovery recovery,
      UserCouponRepository userCoupons,
      Pseudonyms pseudonyms) {
    this.address = address;
    this.recovery = recovery;
    this.userCoupons = userCoupons;
    this.pseudonyms = pseudonyms;
  }

  /** Whether a row, a rejection or the ledger has a pseudonym. */
  boolean wereFound() {
    return found;
  }

  void noteOwner(UserId owner) {
    found |= owner.isPseudonym();
  }

  void noteRejected(List<UserId> users) {
    users.stream().filter(UserId::isPseudonym).forEach(rejected::add);
    found |= !rejected.isEmpty();
  }

  /** The marks that the ledger has of the pseudonyms of the users, by user. */
  Map<UserId, LedgerMark> marksOfPseudonyms(Collection<UserId> users) {
    if (users.isEmpty()) {
      return Map.of();
    }
    var userOf = new HashMap<UserId, UserId>();
    users.forEach(user -> userOf.put(pseudonyms.of(user), user));
    Map<UserId, LedgerMark> marks = new HashMap<>();
    recovery
        .marks(address, List.copyOf(userOf.keySet()))
        .forEach(
            (pseudonym, mark) -> marks.put(Objects.requireNonNull(userOf.get(pseudonym)), mark));
    return marks;
  }

  /** Removes the pseudonyms of the users from the ledger. */
  void forgetPseudonyms(Collection<UserId> users) {
    if (!users.isEmpty()) {
      recovery.forget(address, users.stream().map(pseudonyms::of).toList());
    }
  }

  /** Those of the users who have a row or a rejection with their pseudonym. */
  Set<UserId> erasedAmong(Collection<UserId> users) {
    if (!found) {
      return Set.of();
    }
    var pseudonymOf = new HashMap<UserId, UserId>();
    users.forEach(user -> pseudonymOf.put(user, pseudonyms.of(user)));
    var known = new HashSet<>(userCoupons.owners(address.couponId(), pseudonymOf.values()));
    known.addAll(rejected);
    pseudonymOf.values().retainAll(known);
    return pseudonymOf.keySet();
  }
}
