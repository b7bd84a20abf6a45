package io.firstcome.devservices.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;

/**
 * One keep-alive connection for POST requests of users to one path, without a body and with the
 * headers of an authenticating gateway. Not thread-safe.
 */
public final class HttpLine implements AutoCloseable {

  private final KeepAliveConnection connection;
  private final String head;

  private HttpLine(KeepAliveConnection connection, String head) {
    this.connection = connection;
    this.head = head;
  }

  /** Connects to a service on loopback, for claims of this coupon. */
  public static HttpLine toClaim(int port, String couponId) throws IOException {
    return open(port, "/api/v1/coupons/%s/claims".formatted(couponId), "");
  }

  /**
   * Connects to a service on loopback.
   *
   * @param headers complete header lines, or the empty string
   */
  public static HttpLine open(int port, String path, String headers) throws IOException {
    return new HttpLine(KeepAliveConnection.open(port), head(port, path, headers));
  }

  /**
   * The start of such a request, to which the user's id and two line breaks must be appended.
   *
   * @param headers complete header lines, or the empty string
   */
  public static String head(int port, String path, String headers) {
    return "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n%s"
            .formatted(path, port, headers)
        + "X-Gateway-Secret: %s\r\nX-User-Id: ".formatted(ServiceProcess.GATEWAY_SECRET);
  }

  /** Whether another request can be sent; false after a failure or {@code Connection: close}. */
  public boolean isReusable() {
    return connection.isReusable();
  }

  /** Sends one request of the user and waits for its answer. */
  public HttpAnswer post(String userId) throws IOException {
    return connection.exchange((head + userId + "\r\n\r\n").getBytes(ISO_8859_1));
  }

  @Override
  public void close() {
    connection.close();
  }
}
