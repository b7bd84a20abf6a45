package io.firstcome.bootstrap.rest.claim;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Maps the path of claims, for every method, to {@link ClaimHandler}. It has the highest
 * precedence, as nearly all requests are claims.
 */
@Component
class ClaimMapping extends AbstractHandlerMapping {

  static final String PATH = "/api/v1/coupons/{couponId}/claims";

  private static final PathPattern PATTERN = PathPatternParser.defaultInstance.parse(PATH);
  private static final String COUPON_ID = ClaimMapping.class.getName() + ".couponId";

  private final ClaimHandler handler;

  ClaimMapping(ClaimHandler handler) {
    this.handler = handler;
    setOrder(Ordered.HIGHEST_PRECEDENCE);
  }

  /** The coupon id in the path of a request that this mapping has matched. */
  static String couponId(HttpServletRequest request) {
    if (request.getAttribute(COUPON_ID) instanceof String couponId) {
      return couponId;
    }
    throw new IllegalStateException("not the path of a claim");
  }

  /** The coupon id, valid or not, in the path of claims; null if it is another path. */
  static @Nullable String couponIdIn(PathContainer path) {
    var match = PATTERN.matchAndExtract(path);
    return match == null ? null : match.getUriVariables().get("couponId");
  }

  @Override
  protected @Nullable Object getHandlerInternal(HttpServletRequest request) {
    var path = ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication();
    var couponId = couponIdIn(path);
    if (couponId == null) {
      return null;
    }
    request.setAttribute(COUPON_ID, couponId);
    ServerHttpObservationFilter.findObservationContext(request)
        .ifPresent(context -> context.setPathPattern(PATH));
    return handler;
  }
}
