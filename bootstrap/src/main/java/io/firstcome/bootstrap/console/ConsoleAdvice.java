package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.port.DatabaseBusyException;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.UnrecordableException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.ui.Model;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/**
 * What all pages of the console have: who looks, the server's time, and a page for each problem.
 */
@ControllerAdvice(basePackageClasses = ConsoleAdvice.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
class ConsoleAdvice {

  private static final Duration SOON = Duration.ofSeconds(2);

  private final InstantSource clock;

  ConsoleAdvice(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * What a page shows of its reader.
   *
   * @param mayOperate whether pages have buttons that change something
   */
  record Reader(String name, boolean mayOperate) {}

  @ModelAttribute("reader")
  @Nullable Reader reader() {
    return Caller.find().map(ConsoleAdvice::reader).orElse(null);
  }

  private static Reader reader(Caller caller) {
    return new Reader(caller.user().value(), caller.mayOperate());
  }

  @ModelAttribute("serverTime")
  String serverTime() {
    return clock.instant().toString();
  }

  @ExceptionHandler
  String problem(
      Problem problem, HttpServletRequest request, HttpServletResponse response, Model model) {
    return page(problem, request, response, model);
  }

  @ExceptionHandler
  String databaseBusy(
      DatabaseBusyException e,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    var problem =
        Problem.of(
                ProblemType.OVERLOADED,
                "The database does not reply in time, or too many requests wait for it; nothing"
                    + " happened.")
            .retryAfter(SOON);
    return page(problem, request, response, model);
  }

  @ExceptionHandler
  String serverUnavailable(
      ServerUnavailableException e,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    boolean nothingHappened =
        e.effect() == ServerUnavailableException.Effect.NONE || request.getMethod().equals("GET");
    var problem =
        nothingHappened
            ? ProblemAdvice.recovering()
            : ProblemAdvice.outcomeUnknown("The change may have been made. Look again.", SOON);
    return page(problem, request, response, model);
  }

  /** A parameter of the request is missing, or cannot be read. */
  @ExceptionHandler({
    ServletRequestBindingException.class,
    MethodArgumentTypeMismatchException.class,
    UnrecordableException.class
  })
  String malformed(HttpServletRequest request, HttpServletResponse response, Model model) {
    return page(
        Problem.malformed("Something that was sent is missing, or cannot be read."),
        request,
        response,
        model);
  }

  /** The page, or the part of a page that a script has asked for. */
  private String page(
      Problem problem, HttpServletRequest request, HttpServletResponse response, Model model) {
    response.setStatus(problem.body().getStatus());
    var retryAfter = problem.headers().getFirst(HttpHeaders.RETRY_AFTER);
    if (retryAfter != null) {
      response.setHeader(HttpHeaders.RETRY_AFTER, retryAfter);
    }
    model.addAttribute("reader", reader());
    model.addAttribute("serverTime", serverTime());
    model.addAttribute("title", problem.body().getTitle());
    model.addAttribute("detail", problem.body().getDetail());
    model.addAttribute("errors", errors(problem));
    model.addAttribute("canRetry", retryAfter != null);
    return request.getHeader("HX-Request") == null ? "console/problem" : "console/problem :: alert";
  }

  /** What is wrong with each member of a definition, if that is the problem. */
  private static List<String> errors(Problem problem) {
    var properties = problem.body().getProperties();
    return properties != null && properties.get("errors") instanceof Map<?, ?> errors
        ? errors.values().stream().map(String::valueOf).toList()
        : List.of();
  }
}
