package io.firstcome.bootstrap.rest;

import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;

/** Makes a problem of everything that is thrown on the way of a request. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);
  private static final Duration SOON = Duration.ofSeconds(2);

  @ExceptionHandler
  ResponseEntity<Object> problem(Problem problem) {
    return problem.toResponse();
  }

  @ExceptionHandler({DatabaseUnavailableException.class, StockUnavailableException.class})
  ResponseEntity<Object> serverAway(RuntimeException e) {
    return recovering().toResponse();
  }

  /** The container reads a query when somebody first asks for a parameter, and then refuses it. */
  @ExceptionHandler
  ResponseEntity<Object> unreadableQuery(InvalidParameterException e) {
    return Problem.malformed("The query cannot be understood.").toResponse();
  }

  /** A claim may be under way, and everything else can be asked again. */
  @ExceptionHandler
  ResponseEntity<Object> interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return outcomeUnknown(SOON).toResponse();
  }

  @ExceptionHandler
  ResponseEntity<Object> bug(RuntimeException e) {
    LOG.error("a request met a bug", e);
    return Problem.ofStatus(HttpStatus.INTERNAL_SERVER_ERROR).toResponse();
  }

  static Problem recovering() {
    return Problem.unavailable(
        "recovering",
        "Recovering",
        "A server behind this service is away or being restored; nothing happened. Try again.",
        SOON);
  }

  static Problem outcomeUnknown(Duration retryAfter) {
    return Problem.unavailable(
        "outcome-unknown",
        "Outcome unknown",
        "The claim may have been taken. Ask for its status, or claim again, which is safe.",
        retryAfter);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    return Problem.malformed(whereUnreadable(e.getCause())).toResponse();
  }

  private static String whereUnreadable(@Nullable Throwable cause) {
    return switch (cause) {
      case DatabindException e when !e.getPath().isEmpty() ->
          "The body cannot be understood at: " + path(e);
      case JacksonException e when e.getLocation() != null ->
          "The body is not JSON, from line %d, column %d on."
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
      case null, default -> "The body cannot be understood.";
    };
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
