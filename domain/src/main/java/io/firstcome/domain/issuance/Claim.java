package io.firstcome.domain.issuance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One customer's request for one coupon; the call that carries the claim names the coupon.
 *
 * @param pseudonym what the ledger has in place of the user id if the user was erased; null if the
 *     stock has not asked for it (see {@link ClaimOutcome.Repeat})
 */
public record Claim(UserId userId, @Nullable UserId pseudonym) {

  /**
   * Claims of these users, in their order.
   *
   * @param pseudonyms derives the pseudonym of each; null if they have none
   */
  public static List<Claim> of(List<UserId> users, @Nullable Pseudonyms pseudonyms) {
    return users.stream()
        .map(user -> new Claim(user, pseudonyms == null ? null : pseudonyms.of(user)))
        .toList();
  }
}
