package io.firstcome.bootstrap.rest.request;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Maps one path with a coupon id, for every method, to a handler that bypasses Spring MVC's
 * argument binding. It comes before the other mappings, as most requests of a sale have such paths.
 */
public abstract class CouponPathMapping extends AbstractHandlerMapping {

  private static final String VARIABLE = "couponId";
  private static final String COUPON_ID = CouponPathMapping.class.getName() + ".couponId";

  private final PathPattern pattern;
  private final HttpRequestHandler handler;

  /**
   * A mapping.
   *
   * @param pattern as {@link #pattern} made it
   */
  protected CouponPathMapping(PathPattern pattern, HttpRequestHandler handler) {
    this.pattern = pattern;
    this.handler = handler;
  }

  /** The path of a coupon with this end, such as {@code /claims}. */
  protected static PathPattern pattern(String end) {
    return PathPatternParser.defaultInstance.parse("/api/v1/coupons/{couponId}" + end);
  }

  /** The coupon id in the path of a request that such a mapping has matched. */
  public static String couponId(HttpServletRequest request) {
    if (request.getAttribute(COUPON_ID) instanceof String couponId) {
      return couponId;
    }
    throw new IllegalStateException("not a mapped path of a coupon");
  }

  /** The coupon id, valid or not, in such a path; null if it is another path. */
  protected static @Nullable String couponIdIn(PathPattern pattern, PathContainer path) {
    var match = pattern.matchAndExtract(path);
    return match == null ? null : match.getUriVariables().get(VARIABLE);
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  protected @Nullable Object getHandlerInternal(HttpServletRequest request) {
    var path = ServletRequestPathUtils.getParsedRequestPath(request).pathWithinApplication();
    var couponId = couponIdIn(pattern, path);
    if (couponId == null) {
      return null;
    }
    request.setAttribute(COUPON_ID, couponId);
    ServerHttpObservationFilter.findObservationContext(request)
        .ifPresent(context -> context.setPathPattern(pattern.getPatternString()));
    return handler;
  }
}
