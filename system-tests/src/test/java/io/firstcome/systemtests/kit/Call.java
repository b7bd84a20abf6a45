package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.firstcome.devservices.service.ServiceProcess;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * One HTTP request. Nothing is validated or escaped, so that malformed requests can be sent too.
 */
public final class Call {

  /** The operator of requests that name no other one. */
  public static final String OPERATOR = "oscar";

  private static final String USER = "X-User-Id: ";

  private static final String SCOPES =
      "coupon:read coupon:define coupon:operate coupon:revoke coupon:erase coupon:recover";

  private static final String SECRET = "X-Gateway-Secret: " + ServiceProcess.GATEWAY_SECRET;

  private final String method;
  private final String path;
  private final List<String> headers;
  private final byte[] body;

  private Call(String method, String path, List<String> headers, byte[] body) {
    this.method = method;
    this.path = path;
    this.headers = headers;
    this.body = body.clone();
  }

  /** With the secret of the gateway, without a user. */
  public static Call of(String method, String path) {
    return bare(method, path).header(SECRET);
  }

  /** Without the gateway's secret. */
  public static Call bare(String method, String path) {
    return new Call(method, path, List.of(), new byte[0]);
  }

  public static Call get(String path) {
    return of("GET", path);
  }

  public static Call claim(String couponId) {
    return of("POST", "/api/v1/coupons/" + couponId + "/claims");
  }

  /** The claim's status. */
  public static Call status(String couponId) {
    return get("/api/v1/coupons/" + couponId + "/claims/me");
  }

  /** A definition with that body, by an operator. */
  public static Call define(String json) {
    return of("POST", "/api/v1/admin/coupons").operator().json(json);
  }

  public static Call proof(String couponId) {
    return get("/api/v1/admin/coupons/" + couponId + "/proof").operator();
  }

  /** As this user, and not as another one. */
  public Call as(String user) {
    List<String> others = headers.stream().filter(line -> !line.startsWith(USER)).toList();
    return new Call(method, path, others, body).header(USER + user);
  }

  /** With every scope of operators; as {@value #OPERATOR}, if no user is named. */
  public Call operator() {
    var scoped = header("X-Scopes: " + SCOPES);
    return headers.stream().anyMatch(line -> line.startsWith(USER)) ? scoped : scoped.as(OPERATOR);
  }

  /** As an order service or a till of the shop {@link Redemptions#SHOP}. */
  public Call shop() {
    return shop(Redemptions.SHOP);
  }

  /** As an order service or a till of that shop. */
  public Call shop(String id) {
    return header("X-Scopes: coupon:redeem").header("X-Shop-Id: " + id);
  }

  public Call prefer(String preference) {
    return header("Prefer: " + preference);
  }

  /** Adds a complete header line, without its line end. */
  public Call header(String line) {
    List<String> all = new ArrayList<>(headers);
    all.add(line);
    return new Call(method, path, List.copyOf(all), body);
  }

  public Call json(String json) {
    return json(json.getBytes(UTF_8));
  }

  public Call json(byte[] bytes) {
    return header("Content-Type: application/json").content(bytes);
  }

  public Call content(byte[] bytes) {
    return new Call(method, path, headers, bytes);
  }

  String method() {
    return method;
  }

  public String path() {
    return path;
  }

  byte[] body() {
    return body.clone();
  }

  byte[] bytes() {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    headers.forEach(line -> head.append(line).append("\r\n"));
    if (headers.stream().noneMatch(line -> line.startsWith("Transfer-Encoding"))) {
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head.append("\r\n").toString().getBytes(ISO_8859_1));
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
