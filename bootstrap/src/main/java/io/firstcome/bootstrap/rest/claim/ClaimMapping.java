package io.firstcome.bootstrap.rest.claim;

import io.firstcome.bootstrap.rest.request.CouponPathMapping;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Component;
import org.springframework.web.util.pattern.PathPattern;

/** Maps the path of claims to {@link ClaimHandler}. */
@Component
class ClaimMapping extends CouponPathMapping {

  private static final PathPattern PATTERN = pattern("/claims");

  ClaimMapping(ClaimHandler handler) {
    super(PATTERN, handler);
  }

  /** The coupon id, valid or not, in the path of claims; null if it is another path. */
  static @Nullable String couponIdIn(PathContainer path) {
    return couponIdIn(PATTERN, path);
  }
}
