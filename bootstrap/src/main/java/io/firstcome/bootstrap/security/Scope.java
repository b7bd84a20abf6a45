package io.firstcome.bootstrap.security;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import org.springframework.security.core.GrantedAuthority;

/**
 * What a caller may do beside claiming and holding coupons of their own. No scope includes another.
 */
enum Scope implements GrantedAuthority {
  /** Operators: reading coupons, proofs, audit entries and dead letters. */
  READ,
  /** Operators: defining coupons, and changing their quantities. */
  DEFINE,
  /** Operators: pausing, resuming, closing and archiving coupons, and retrying dead letters. */
  OPERATE,
  /** Operators: revoking user coupons, and cancelling redemptions. */
  REVOKE,
  /** Operators: erasing users. */
  ERASE,
  /** Operators: recovering the stock. */
  RECOVER,
  /** Order services and tills: redeeming any user's coupon. */
  REDEEM;

  private final String label = "coupon:" + name().toLowerCase(Locale.ROOT);

  /** The name in tokens and headers, such as {@code coupon:read}. */
  String label() {
    return label;
  }

  @Override
  public String getAuthority() {
    return label;
  }

  /** The scopes of these names; unknown names are ignored, since other services have scopes too. */
  static EnumSet<Scope> ofLabels(Collection<String> labels) {
    var scopes = EnumSet.noneOf(Scope.class);
    Arrays.stream(values()).filter(scope -> labels.contains(scope.label)).forEach(scopes::add);
    return scopes;
  }
}
