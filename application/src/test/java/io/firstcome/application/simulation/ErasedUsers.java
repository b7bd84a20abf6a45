package io.firstcome.application.simulation;

import io.firstcome.application.simulation.AnswerRecord.Owner;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The users of a history by the pseudonyms that replace them when they are erased. */
final class ErasedUsers {

  private final Map<UserId, UserId> byPseudonym = new HashMap<>();

  ErasedUsers(List<UserId> users) {
    users.forEach(user -> byPseudonym.put(CouponFixtures.pseudonymOf(user), user));
  }

  /** The user of a row or mark, also if they were erased. */
  UserId userOf(UserId found) {
    return byPseudonym.getOrDefault(found, found);
  }

  /** The user id and its pseudonym. */
  static List<UserId> namesOf(UserId user) {
    return List.of(user, CouponFixtures.pseudonymOf(user));
  }

  /**
   * The row of the owner, also if they were erased.
   *
   * @throws AssertionError if an erased user has another row
   */
  static Optional<UserCoupon> row(InMemoryDatabase database, Owner owner) {
    var rows =
        namesOf(owner.userId()).stream().flatMap(name -> find(database, owner, name)).toList();
    if (rows.size() > 1) {
      throw new AssertionError("I2 an erased user has another row: " + rows);
    }
    return rows.stream().findFirst();
  }

  private static Stream<UserCoupon> find(InMemoryDatabase database, Owner owner, UserId name) {
    return database.userCoupons().find(owner.couponId(), name).stream();
  }
}
