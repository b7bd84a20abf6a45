package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.rehearsal.ReadRehearsals;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.rehearsal.RehearsalController;
import io.firstcome.bootstrap.rest.rehearsal.RehearsalController.ForecastJson;
import io.firstcome.bootstrap.rest.rehearsal.RehearsalController.ForecastQuery;
import io.firstcome.bootstrap.rest.rehearsal.RehearsalController.StartJson;
import io.firstcome.bootstrap.rest.rehearsal.RehearsalJson;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.observation.Completion;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.Rehearsal.State;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The page on which an operator rehearses a drop, and reads what is expected of it. */
@Controller
class RehearsalPages {

  private static final String PAGE = "/console/coupons/{couponId}/rehearsals";
  private static final int LATEST = 100;
  private static final int SHOWN = 10;

  private final RehearsalController controller;
  private final ReadRehearsals rehearsals;
  private final ReadCoupon readCoupon;
  private final InstantSource clock;

  RehearsalPages(
      RehearsalController controller,
      ReadRehearsals rehearsals,
      ReadCoupon readCoupon,
      InstantSource clock) {
    this.controller = controller;
    this.rehearsals = rehearsals;
    this.readCoupon = readCoupon;
    this.clock = clock;
  }

  /**
   * How far a rehearsal is.
   *
   * @param percent of its claims that are answered
   * @param secondsLeft for the rest; null if it has just begun
   */
  record Progress(
      long rehearsalId,
      String couponId,
      String text,
      int answered,
      int users,
      int percent,
      @Nullable Long secondsLeft,
      boolean canBeStopped) {

    static Progress of(Rehearsal rehearsal, Duration since) {
      int users = rehearsal.plan().users();
      int answered = Math.min(users, rehearsal.answered());
      var completion = new Completion(answered, users, since);
      boolean runs = rehearsal.state() == State.RUNNING;
      return new Progress(
          rehearsal.id().value(),
          rehearsal.plan().couponId().value(),
          runs
              ? (answered == users ? "Rows are being recorded" : "Claims are being sent")
              : "What it has issued is being removed",
          answered,
          users,
          completion.percent(),
          runs ? completion.left().map(Duration::toSeconds).orElse(null) : null,
          runs);
    }
  }

  /** The shapes of arrival, for the forms. */
  record Shape(String value, String name) {

    static final List<Shape> ALL =
        List.of(
            new Shape("AT_ONCE", "all at once"),
            new Shape("RAMP", "a ramp: more in each second"),
            new Shape("BURSTS", "in groups, each at once"));
  }

  @ModelAttribute("shapes")
  List<Shape> shapes() {
    return Shape.ALL;
  }

  /** The page; only what changes, if a script asks for it. */
  @GetMapping(PAGE)
  String rehearsals(
      @PathVariable String couponId,
      @RequestParam(required = false) @Nullable String part,
      ForecastQuery query,
      Caller caller,
      HttpServletRequest request,
      Model model)
      throws InterruptedException {
    var id = CouponIds.parse(couponId);
    var view = readCoupon.readAny(id).orElseThrow(Problem::unknownCoupon);
    var latest = rehearsals.latest(LATEST);
    var inProgress =
        latest.stream().filter(one -> one.state() != State.REMOVED).findFirst().orElse(null);
    model.addAttribute("coupon", CouponJson.view(view));
    model.addAttribute(
        "progress",
        inProgress == null
            ? null
            : Progress.of(inProgress, Duration.between(inProgress.startedAt(), clock.instant())));
    model.addAttribute(
        "rehearsals",
        latest.stream()
            .filter(one -> one.plan().couponId().equals(id))
            .filter(one -> one.state() != State.RUNNING)
            .limit(SHOWN)
            .map(RehearsalJson::of)
            .toList());
    if (part == null) {
      model.addAttribute("query", query);
      addForecast(couponId, query, caller, request, model);
    }
    return part == null ? "console/rehearsals" : "console/rehearsals :: part";
  }

  /** A wrong number does not hide the rest of the page. */
  private void addForecast(
      String couponId, ForecastQuery query, Caller caller, HttpServletRequest request, Model model)
      throws InterruptedException {
    if (query.users() == null) {
      return;
    }
    try {
      ForecastJson forecast = controller.forecast(couponId, query, caller, request);
      model.addAttribute("forecast", forecast);
    } catch (Problem problem) {
      model.addAttribute("forecastProblem", sentence(problem));
    }
  }

  private static String sentence(Problem problem) {
    var properties = problem.body().getProperties();
    return properties != null && properties.get("errors") instanceof Map<?, ?> errors
        ? String.join(", ", errors.values().stream().map(String::valueOf).toList()) + "."
        : String.valueOf(problem.body().getDetail());
  }

  /** Starts a rehearsal. */
  @PostMapping(PAGE)
  String start(
      @PathVariable String couponId,
      @RequestParam(defaultValue = "") String users,
      @RequestParam(defaultValue = "") String quantity,
      @RequestParam(defaultValue = "") String shape,
      @RequestParam(defaultValue = "") String seconds,
      @RequestParam(defaultValue = "") String bursts,
      @RequestParam(defaultValue = "") String besideOpenCoupons,
      Caller caller,
      RedirectAttributes redirect) {
    controller.start(
        couponId,
        new StartJson(
            WholeNumber.optional("users", users),
            WholeNumber.optional("quantity", quantity),
            shape.isBlank() ? null : shape,
            WholeNumber.optional("seconds", seconds),
            WholeNumber.optional("bursts", bursts),
            !besideOpenCoupons.isBlank()),
        caller);
    redirect.addFlashAttribute("done", "The rehearsal has begun.");
    return "redirect:" + PAGE;
  }

  /** Ends a rehearsal early. */
  @PostMapping(PAGE + "/{rehearsalId}/stop")
  String stop(@PathVariable String rehearsalId, Caller caller, RedirectAttributes redirect) {
    controller.stop(rehearsalId, caller);
    redirect.addFlashAttribute("done", "The rehearsal is stopped.");
    return "redirect:" + PAGE;
  }
}
