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
  /** Customers who join a waiting room. */
  JOIN(Share.CLAIMS),
  /** What customers read of a waiting room. */
  ROOM(Share.CUSTOMERS),
  /** What a waiting room sends to customers for as long as they wait. */
  STREAM(Share.CUSTOMERS),
  /** What customers read of a coupon, which may need its stock. */
  COUPON(Share.CUSTOMERS),
  /** What customers read of their user coupons. */
  READ(Share.CUSTOMERS),
  /** What customers do with their coupons, and quotes. */
  REDEMPTION(Share.CUSTOMERS),
  /** The requests of order services and tills. */
  SHOP(Share.SHOPS),
  /** The requests of operators. */
  OPERATOR(Share.OPERATORS),
  /** What operators see and do in the console. */
  CONSOLE(Share.CONSOLE),
  /** What the console sends to a browser for as long as a page is open, and files. */
  CONSOLE_STREAM(Share.CONSOLE);

  private static final String REDEMPTIONS = "/api/v1/redemptions";
  private static final String LIST = "/api/v1/coupons";
  private static final String COUPONS = LIST + "/";
  private static final String SUGGESTIONS = COUPONS + "suggestions";
  private static final String CLAIMS = "/claims";
  private static final String WAITING_ROOM = "/waiting-room";
  private static final String EVENTS = WAITING_ROOM + "/me/events";

  private static final String CONSOLE_PATH = "/console";
  private static final String CONSOLE_EVENTS = "/events";
  private static final String CONSOLE_FILES = ".csv";

  private final Share share;
  private final String label;

  RequestKind(Share share) {
    this.share = share;
    this.label = name().toLowerCase(Locale.ROOT).replace('_', '-');
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
    if (path.equals(CONSOLE_PATH) || path.startsWith(CONSOLE_PATH + "/")) {
      return path.endsWith(CONSOLE_EVENTS) || path.endsWith(CONSOLE_FILES)
          ? CONSOLE_STREAM
          : CONSOLE;
    }
    if (path.equals(REDEMPTIONS) || path.startsWith(REDEMPTIONS + "/")) {
      return SHOP;
    }
    if (HttpMethod.GET.matches(method) || HttpMethod.HEAD.matches(method)) {
      if (isOfCoupon(path, WAITING_ROOM)) {
        return path.endsWith(EVENTS) ? STREAM : ROOM;
      }
      return path.startsWith(COUPONS) || path.equals(LIST) ? COUPON : READ;
    }
    if (path.equals(SUGGESTIONS)) {
      return COUPON;
    }
    if (!HttpMethod.POST.matches(method)) {
      return REDEMPTION;
    }
    if (isOfCoupon(path, WAITING_ROOM)) {
      return JOIN;
    }
    return isOfCoupon(path, CLAIMS) && path.endsWith(CLAIMS) ? CLAIM : REDEMPTION;
  }

  /** Whether the coupon id, which is one segment, is followed by this part. */
  private static boolean isOfCoupon(String path, String part) {
    int end = path.startsWith(COUPONS) ? path.indexOf('/', COUPONS.length()) : -1;
    return end > 0
        && path.startsWith(part, end)
        && (path.length() == end + part.length() || path.charAt(end + part.length()) == '/');
  }

  /**
   * Whether its answers are written as they are made: those to claims are so short that writing one
   * does not wait for the client, and a stream releases its permit first.
   */
  boolean isWrittenDirectly() {
    return this == CLAIM || this == STREAM || this == CONSOLE_STREAM;
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
