package io.firstcome.bootstrap.problem;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * An HTTP problem: RFC 9457 with the type {@code urn:firstcome:problem:<name>}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457, Problem Details for HTTP APIs</a>
 */
public final class Problem extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient ProblemDetail body;
  private final transient HttpHeaders headers = new HttpHeaders();

  private Problem(HttpStatus status, String name, String title, String detail) {
    super(title, null, false, false);
    body = ProblemDetail.forStatus(status);
    body.setType(URI.create("urn:firstcome:problem:" + name));
    body.setTitle(title);
    body.setDetail(detail);
    body.setProperties(new LinkedHashMap<>());
  }

  public static Problem unknownCoupon() {
    return new Problem(
        HttpStatus.NOT_FOUND,
        "unknown-coupon",
        "Unknown coupon",
        "There is no coupon with this id.");
  }

  public static Problem conflict(String name, String title, String detail) {
    return new Problem(HttpStatus.CONFLICT, name, title, detail);
  }

  /** Repeated attempts of the request each met a concurrent change of the same coupon. */
  public static Problem concurrentChange() {
    return conflict(
        "concurrent-change",
        "Concurrent change",
        "The coupon is being changed concurrently; nothing happened. Retry.");
  }

  public static Problem notFound(String name, String title, String detail) {
    return new Problem(HttpStatus.NOT_FOUND, name, title, detail);
  }

  public static Problem forbidden(String name, String title, String detail) {
    return new Problem(HttpStatus.FORBIDDEN, name, title, detail);
  }

  public static Problem unauthenticated(String detail) {
    return new Problem(HttpStatus.UNAUTHORIZED, "unauthenticated", "Not authenticated", detail);
  }

  public static Problem malformed(String detail) {
    return new Problem(HttpStatus.BAD_REQUEST, "malformed-request", "Malformed request", detail);
  }

  /**
   * A request with invalid members.
   *
   * @param what what the request describes
   * @param errors by member
   */
  public static Problem invalid(
      String name, String title, String what, Map<String, String> errors) {
    return new Problem(
            HttpStatus.UNPROCESSABLE_CONTENT,
            name,
            title,
            "These members of the %s are wrong: %s"
                .formatted(what, String.join(", ", errors.keySet())))
        .with("errors", errors);
  }

  public static Problem unavailable(String name, String title, String detail, Duration retryAfter) {
    return new Problem(HttpStatus.SERVICE_UNAVAILABLE, name, title, detail).retryAfter(retryAfter);
  }

  /**
   * The service cannot handle the request at the moment.
   *
   * @param retryAfter the time until a retry makes sense
   */
  public static Problem overloaded(Duration retryAfter) {
    return unavailable(
        "overloaded",
        "Overloaded",
        "The service is overloaded; nothing happened. Retry.",
        retryAfter);
  }

  public static Problem tooMany(String detail, Duration retryAfter) {
    return new Problem(
            HttpStatus.TOO_MANY_REQUESTS, "too-many-requests", "Too many requests", detail)
        .retryAfter(retryAfter);
  }

  /** The problem for a status that the framework sets by itself. */
  static Problem ofStatus(HttpStatus status) {
    return new Problem(
        status,
        switch (status) {
          case NOT_FOUND -> "not-found";
          case METHOD_NOT_ALLOWED -> "method-not-allowed";
          case UNSUPPORTED_MEDIA_TYPE -> "unsupported-media-type";
          case NOT_ACCEPTABLE -> "not-acceptable";
          case CONTENT_TOO_LARGE -> "content-too-large";
          case URI_TOO_LONG -> "uri-too-long";
          case SERVICE_UNAVAILABLE -> "overloaded";
          default -> isOfClient(status) ? "malformed-request" : "internal-error";
        },
        status.getReasonPhrase(),
        switch (status) {
          case NOT_FOUND -> "There is no resource at this path.";
          case SERVICE_UNAVAILABLE -> "The service is overloaded; nothing happened. Retry.";
          default ->
              isOfClient(status)
                  ? "The request cannot be understood; nothing happened."
                  : "An unexpected error occurred and was logged.";
        });
  }

  /** Whether the request is the reason; 501 and 505 are for protocols that are not supported. */
  static boolean isOfClient(HttpStatus status) {
    return status.is4xxClientError()
        || status == HttpStatus.NOT_IMPLEMENTED
        || status == HttpStatus.HTTP_VERSION_NOT_SUPPORTED;
  }

  public Problem with(String member, Object value) {
    body.setProperty(member, value);
    return this;
  }

  public Problem retryAfter(Duration time) {
    long seconds = Math.max(1, time.plusMillis(999).toSeconds());
    headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    return this;
  }

  Problem header(String name, String value) {
    headers.set(name, value);
    return this;
  }

  /** Sets the path of the request that the problem is about, unless it is no valid URI. */
  void at(String path) {
    try {
      body.setInstance(URI.create(path));
    } catch (IllegalArgumentException e) {
      // Such as "//"; the member is optional.
    }
  }

  public ProblemDetail body() {
    return body;
  }

  public HttpHeaders headers() {
    return headers;
  }

  public ResponseEntity<Object> toResponse() {
    return ResponseEntity.status(body.getStatus())
        .headers(headers)
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(body);
  }
}
