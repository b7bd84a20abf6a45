package io.firstcome.application.reconciliation;

import io.firstcome.application.paging.Pages;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.util.HashMap;
import java.util.Map;

/**
 * Users whose erasure has not ended. The ledger may already have the pseudonym of such a user while
 * the row still has the user id: that is no discrepancy, as the erasure is tried until both have
 * it.
 */
public final class PendingErasures {

  private static final int PAGE = 1_000;

  private final UserErasures erasures;
  private final CodeKeys codeKeys;

  public PendingErasures(UserErasures erasures, CodeKeys codeKeys) {
    this.erasures = erasures;
    this.codeKeys = codeKeys;
  }

  /** Their pseudonyms in the ledger of the coupon; none if this instance lacks the coupon's key. */
  Map<UserId, UserId> pseudonyms(Coupon coupon) {
    var found = new HashMap<UserId, UserId>();
    if (codeKeys.isInstalled(coupon.codeKeyVersion())) {
      var pseudonyms = codeKeys.pseudonyms(coupon.codeKeyVersion());
      Pages.<Erasure, ErasureId>forEach(
          after -> erasures.pending(after, PAGE),
          Erasure::id,
          page ->
              page.forEach(erasure -> {
                var user = erasure.userId();
                if (user != null) {
                  found.put(user, pseudonyms.of(user));
                }
              }));
    }
    return found;
  }
}
