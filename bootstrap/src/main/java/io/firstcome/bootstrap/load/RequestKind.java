package io.firstcome.bootstrap.load;

import io.firstcome.domain.port.ConnectionShares.Share;
import java.util.Locale;
import org.springframework.http.HttpMethod;

/** The kinds of requests. Each has limits of its own, so that one cannot displace another one. */
enum RequestKind {
  /** Claims. */
  CLAIM(Share.CLAIMS),
  /** What customers read. */
  READ(Share.CUSTOMERS),
  /** What customers do with their coupons, and quotes. */
  REDEMPTION(Share.CUSTOMERS),
  /** The requests of order services and tills. */
  SHOP(Share.SHOPS),
  /** The requests of operators. */
  OPERATOR(Share.OPERATORS);

  private final Share share;
  private final String label;

  RequestKind(Share share) {
    this.share = share;
    this.label = name().toLowerCase(Locale.ROOT);
  }

  /**
   * The kind of a request. A path with another spelling, such as an escaped letter, is taken for
   * one of a customer's; only limits depend on it.
   */
  static RequestKind of(String method, String path) {
    if (path.startsWith("/api/v1/admin/")) {
      return OPERATOR;
    }
    if (path.startsWith("/api/v1/redemptions")) {
      return SHOP;
    }
    if (HttpMethod.GET.matches(method)) {
      return READ;
    }
    return path.endsWith("/claims") ? CLAIM : REDEMPTION;
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
