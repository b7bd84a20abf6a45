package io.firstcome.bootstrap.problem;

import io.firstcome.domain.port.DatabaseBusyException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.usercoupon.MissingCodeKeyException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Set;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DatabindException;

/** Converts each exception that is thrown while a request is handled to a problem. */
@RestControllerAdvice
public class ProblemAdvice extends ResponseEntityExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Set<HttpMethod> READ_METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final String MAY_BE_EXECUTED =
      "The request may have been executed; its outcome is not known. Retry it; retrying is safe.";

  @ExceptionHandler
  ResponseEntity<Object> problem(Problem problem) {
    return problem.toResponse();
  }

  @ExceptionHandler
  ResponseEntity<Object> databaseBusy(DatabaseBusyException e) {
    return Problem.overloaded(SOON).toResponse();
  }

  /** A request that only reads has no effect, even if its outcome is unknown. */
  @ExceptionHandler
  ResponseEntity<Object> serverUnavailable(ServerUnavailableException e, HttpMethod method) {
    boolean nothingHappened = e.effect() == Effect.NONE || READ_METHODS.contains(method);
    return (nothingHappened ? recovering() : outcomeUnknown(MAY_BE_EXECUTED, SOON)).toResponse();
  }

  /** A retry can reach an instance that has the code key. */
  @ExceptionHandler
  ResponseEntity<Object> codeKeyMissing(MissingCodeKeyException e) {
    return recovering().toResponse();
  }

  /** The container parses the query when a parameter is first read, and rejects it only then. */
  @ExceptionHandler
  ResponseEntity<Object> unreadableQuery(InvalidParameterException e) {
    return Problem.malformed("The query cannot be understood.").toResponse();
  }

  @ExceptionHandler
  ResponseEntity<Object> interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return outcomeUnknown(MAY_BE_EXECUTED, SOON).toResponse();
  }

  @ExceptionHandler
  ResponseEntity<Object> unexpectedError(RuntimeException e, HttpServletRequest request) {
    var id = RequestIds.of(request);
    LOG.atError()
        .addKeyValue("requestId", id)
        .setCause(e)
        .log("unexpected error while handling the request {}", id);
    return Problem.ofStatus(HttpStatus.INTERNAL_SERVER_ERROR).toResponse();
  }

  public static Problem recovering() {
    return Problem.of(
            ProblemType.RECOVERING,
            "A server behind this service is unreachable or being recovered; nothing happened."
                + " Retry.")
        .retryAfterAbout(SOON);
  }

  /**
   * The problem of a request that may have been executed.
   *
   * @param detail states which requests are safe
   * @param retryAfter the least time until a retry makes sense
   */
  public static Problem outcomeUnknown(String detail, Duration retryAfter) {
    return Problem.of(ProblemType.OUTCOME_UNKNOWN, detail).retryAfterAbout(retryAfter);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return unreadable(e.getCause()).toResponse();
  }

  /**
   * The problem of a body that is not what the operation expects.
   *
   * @param cause the failure of its reader, which has the position, or null
   */
  public static Problem unreadable(@Nullable Throwable cause) {
    return Problem.malformed(whereUnreadable(cause));
  }

  private static String whereUnreadable(@Nullable Throwable cause) {
    return switch (cause) {
      case DatabindException e when !e.getPath().isEmpty() ->
          "The body cannot be understood at: " + path(e);
      case InputCoercionException e ->
          "A number of the body is too large or too small" + where(e) + ".";
      case StreamConstraintsException _ -> "A text or a number of the body is too long.";
      case DatabindException e -> "The body is not what this call expects" + where(e) + ".";
      case JacksonException e when !where(e).isEmpty() ->
          "The body is not JSON, or has a member twice" + where(e) + ".";
      case null, default -> "The body cannot be understood.";
    };
  }

  /** The position in the text, or nothing if the body is not read from text. */
  private static String where(JacksonException e) {
    var location = e.getLocation();
    return location == null || location.getLineNr() <= 0
        ? ""
        : ", from line %d, column %d on".formatted(location.getLineNr(), location.getColumnNr());
  }

  private static String path(DatabindException e) {
    var path = new StringBuilder();
    for (var step : e.getPath()) {
      path.append(path.isEmpty() ? "" : ".");
      path.append(step.getPropertyName() == null ? step.getIndex() : step.getPropertyName());
    }
    return path.toString();
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleMissingServletRequestParameter(
      MissingServletRequestParameterException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return Problem.malformed(e.getParameterName() + " is missing.").toResponse();
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleExceptionInternal(
      Exception e,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    var resolved = HttpStatus.resolve(status.value());
    var problem = Problem.ofStatus(resolved == null ? HttpStatus.INTERNAL_SERVER_ERROR : resolved);
    var allow = headers.getFirst(HttpHeaders.ALLOW);
    return (allow == null ? problem : problem.header(HttpHeaders.ALLOW, allow)).toResponse();
  }
}
