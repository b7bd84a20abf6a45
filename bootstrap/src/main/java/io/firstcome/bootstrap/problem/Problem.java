package io.firstcome.bootstrap.problem;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
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

  private static final int SPREAD_MILLIS = 3_000;

  private final transient ProblemDetail body;
  private final transient HttpHeaders headers = new HttpHeaders();

  private Problem(ProblemType type, HttpStatus status, String title, String detail) {
    super(title, null, false, false);
    body = ProblemDetail.forStatus(status);
    body.setType(type.uri());
    body.setTitle(title);
    body.setDetail(detail);
    body.setProperties(new LinkedHashMap<>());
  }

  public static Problem of(ProblemType type, String detail) {
    return new Problem(type, type.status(), type.title(), detail);
  }

  public static Problem unknownCoupon() {
    return of(ProblemType.UNKNOWN_COUPON, "There is no coupon with this id.");
  }

  /** Repeated attempts of the request each met a concurrent change of the same coupon. */
  public static Problem concurrentChange() {
    return of(
        ProblemType.CONCURRENT_CHANGE,
        "The coupon is being changed concurrently; nothing happened. Retry.");
  }

  /**
   * The resource has another version than the request requires.
   *
   * @param what the resource is, such as "coupon"
   */
  public static Problem overtaken(String what, int revision) {
    return of(
            ProblemType.OVERTAKEN,
            "The %s was changed since you read it; nothing happened. Read it again."
                .formatted(what))
        .with("revision", revision);
  }

  public static Problem unauthenticated(String detail) {
    return of(ProblemType.UNAUTHENTICATED, detail);
  }

  public static Problem malformed(String detail) {
    return of(ProblemType.MALFORMED_REQUEST, detail);
  }

  /**
   * A request with invalid members.
   *
   * @param what what the request describes
   * @param errors by member
   */
  public static Problem invalid(ProblemType type, String what, Map<String, String> errors) {
    return of(
            type,
            "These members of the %s are wrong: %s"
                .formatted(what, String.join(", ", errors.keySet())))
        .with("errors", errors);
  }

  /**
   * The service cannot handle the request at the moment.
   *
   * @param retryAfter the least time until a retry makes sense
   */
  public static Problem overloaded(Duration retryAfter) {
    return of(ProblemType.OVERLOADED, "The service is overloaded; nothing happened. Retry.")
        .retryAfterAbout(retryAfter);
  }

  public static Problem tooMany(String detail, Duration retryAfter) {
    return of(ProblemType.TOO_MANY_REQUESTS, detail).retryAfterAbout(retryAfter);
  }

  /** The problem for a status that the framework sets by itself. */
  static Problem ofStatus(HttpStatus status) {
    return new Problem(
        switch (status) {
          case NOT_FOUND -> ProblemType.NOT_FOUND;
          case METHOD_NOT_ALLOWED -> ProblemType.METHOD_NOT_ALLOWED;
          case UNSUPPORTED_MEDIA_TYPE -> ProblemType.UNSUPPORTED_MEDIA_TYPE;
          case CONTENT_TOO_LARGE -> ProblemType.CONTENT_TOO_LARGE;
          case URI_TOO_LONG -> ProblemType.URI_TOO_LONG;
          case SERVICE_UNAVAILABLE -> ProblemType.OVERLOADED;
          default ->
              isOfClient(status) ? ProblemType.MALFORMED_REQUEST : ProblemType.INTERNAL_ERROR;
        },
        status,
        status.getReasonPhrase(),
        switch (status) {
          case NOT_FOUND -> "There is no resource at this path.";
          case METHOD_NOT_ALLOWED ->
              "The method is not possible at this path; the header Allow has those that are.";
          case UNSUPPORTED_MEDIA_TYPE -> "The content type of the body is not supported here.";
          case CONTENT_TOO_LARGE -> "The body is too large.";
          case URI_TOO_LONG -> "The path or the query is too long.";
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

  /**
   * Names a time from which a retry makes sense, or one up to three seconds later: otherwise all
   * clients that get this problem at once would return in the same second.
   */
  public Problem retryAfterAbout(Duration time) {
    return retryAfter(time.plusMillis(ThreadLocalRandom.current().nextInt(SPREAD_MILLIS)));
  }

  /** Names the time from which a retry makes sense. */
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
