package io.firstcome.devservices;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.firstcome.devservices.KeptAliveConnection.Answer;
import java.io.IOException;

/**
 * One kept-alive connection over which users POST without a body to one path, as behind a gateway
 * that has authenticated them. For one thread.
 */
public final class HttpLine implements AutoCloseable {

  private final KeptAliveConnection connection;
  private final String head;

  private HttpLine(KeptAliveConnection connection, String head) {
    this.connection = connection;
    this.head = head;
  }

  /** Connects to a service on loopback whose claims of that coupon are to be made. */
  public static HttpLine toClaim(int port, String couponId) throws IOException {
    return open(port, "/api/v1/coupons/%s/claims".formatted(couponId), "");
  }

  /**
   * Connects to a service on loopback.
   *
   * @param headers whole lines, or nothing
   */
  public static HttpLine open(int port, String path, String headers) throws IOException {
    return new HttpLine(KeptAliveConnection.open(port), head(port, path, headers));
  }

  /**
   * What such a request begins with; the user's id and the line breaks of the end are to follow.
   *
   * @param headers whole lines, or nothing
   */
  public static String head(int port, String path, String headers) {
    return "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n%s"
            .formatted(path, port, headers)
        + "X-Gateway-Secret: %s\r\nX-User-Id: ".formatted(ServiceProcess.GATEWAY_SECRET);
  }

  /** Whether another request can be sent; false after a failure or an announced end. */
  public boolean isReusable() {
    return connection.isReusable();
  }

  /** Sends one request of the user and waits for its answer. */
  public Answer post(String userId) throws IOException {
    return connection.exchange((head + userId + "\r\n\r\n").getBytes(ISO_8859_1));
  }

  @Override
  public void close() {
    connection.close();
  }
}
