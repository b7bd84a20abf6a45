package io.firstcome.bootstrap.load;

import io.firstcome.domain.port.ConnectionShares.Share;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.UriUtils;

/** The kinds of requests. Each has limits of its own, so that one cannot displace another one. */
enum RequestKind {
  /** Claims. */
  CLAIM(Share.CLAIMS),
  /** What customers read of a coupon, which may need its stock. */
  COUPON(Share.CUSTOMERS),
  /** What customers read of their user coupons. */
  READ(Share.CUSTOMERS),
  /** What customers do with their coupons, and quotes. */
  REDEMPTION(Share.CUSTOMERS),
  /** The requests of order services and tills. */
  SHOP(Share.SHOPS),
  /** The requests of operators. */
  OPERATOR(Share.OPERATORS);

  private static final String REDEMPTIONS = "/api/v1/redemptions";
  private static final String LIST = "/api/v1/coupons";
  private static final String COUPONS = LIST + "/";
  private static final String SUGGESTIONS = COUPONS + "suggestions";
  private static final String CLAIMS = "/claims";

  private final Share share;
  private final String label;

  RequestKind(Share share) {
    this.share = share;
    this.label = name().toLowerCase(Locale.ROOT);
  }

  /**
   * The kind of a request.
   *
   * @param uri its path, which may have escaped characters
   */
  static RequestKind of(String method, String uri) {
    var path = uri.indexOf('%') < 0 ? uri : UriUtils.decode(uri, StandardCharsets.UTF_8);
    if (path.startsWith("/api/v1/admin/")) {
      return OPERATOR;
    }
    if (path.equals(REDEMPTIONS) || path.startsWith(REDEMPTIONS + "/")) {
      return SHOP;
    }
    if (HttpMethod.GET.matches(method) || HttpMethod.HEAD.matches(method)) {
      return path.startsWith(COUPONS) || path.equals(LIST) ? COUPON : READ;
    }
    if (path.equals(SUGGESTIONS)) {
      return COUPON;
    }
    return HttpMethod.POST.matches(method) && isOfClaims(path) ? CLAIM : REDEMPTION;
  }

  /** Whether there is one segment, the coupon id, between the beginning and the end. */
  private static boolean isOfClaims(String path) {
    return path.startsWith(COUPONS)
        && path.endsWith(CLAIMS)
        && path.indexOf('/', COUPONS.length()) == path.length() - CLAIMS.length();
  }

  /** The connections to the database that its requests use. */
  Share share() {
    return share;
  }

  /** Its name in headers and metrics. */
  String label() {
    return label;
  }
}
