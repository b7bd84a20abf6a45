package io.firstcome.devservices.launcher.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.service.ServiceProcess;

/** The requests of users about one coupon, as an authenticating gateway forwards them. */
final class UserRequests {

  private static final String ROOM = "/waiting-room";

  private final int port;
  private final String path;

  UserRequests(int port, String couponId) {
    this.port = port;
    this.path = "/api/v1/coupons/" + couponId;
  }

  static String userId(int user) {
    return "user-%07d".formatted(user);
  }

  /**
   * A claim.
   *
   * @param admission of a waiting room, or the empty string
   */
  byte[] claim(int user, String admission) {
    var header = admission.isEmpty() ? "" : "X-Admission: " + admission + "\r\n";
    return of("POST", "/claims", user, header);
  }

  byte[] join(int user) {
    return of("POST", ROOM, user, "");
  }

  byte[] standing(int user, String ticket) {
    return of("GET", ROOM + "/me", user, "X-Ticket: " + ticket + "\r\n");
  }

  /** The waiting room as everybody sees it. */
  byte[] room() {
    return of("GET", ROOM, 0, "");
  }

  private byte[] of(String method, String rest, int user, String headers) {
    var request =
        "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n%sX-Gateway-Secret: %s\r\nX-User-Id: %s\r\n\r\n"
            .formatted(
                method, path + rest, port, headers, ServiceProcess.GATEWAY_SECRET, userId(user));
    return request.getBytes(ISO_8859_1);
  }
}
