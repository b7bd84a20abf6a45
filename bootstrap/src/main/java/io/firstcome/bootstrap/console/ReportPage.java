package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.curve.ReadCurve;
import io.firstcome.bootstrap.load.LongReads;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.admin.ProofController;
import io.firstcome.bootstrap.rest.admin.ProofController.ProgressJson;
import io.firstcome.bootstrap.rest.admin.ProofController.ProofJson;
import io.firstcome.bootstrap.rest.curve.CurveController;
import io.firstcome.bootstrap.rest.curve.CurveController.CurveJson;
import io.firstcome.bootstrap.rest.curve.LatencyJson;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.observation.Completion;
import io.firstcome.domain.usercoupon.UserCouponState;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import tools.jackson.databind.json.JsonMapper;

/** The report about a coupon after a drop: how it was claimed, and whether it is exact. */
@Controller
class ReportPage {

  private static final Duration AFTER_SELL_OUT = Duration.ofMinutes(10);

  /** With this status htmx stops asking. */
  private static final int ENOUGH = 286;

  /** A script asks again until the proof is done. */
  private static final List<String> AT_ONCE = List.of("wait=1");

  private final ReadCoupon readCoupon;
  private final ReadCurve readCurve;
  private final CurveController curves;
  private final ProofController proofs;
  private final Exports exports;
  private final LongReads longReads;
  private final InstantSource clock;
  private final JsonMapper mapper;

  ReportPage(
      ReadCoupon readCoupon,
      ReadCurve readCurve,
      CurveController curves,
      ProofController proofs,
      Exports exports,
      LongReads longReads,
      InstantSource clock,
      JsonMapper mapper) {
    this.readCoupon = readCoupon;
    this.readCurve = readCurve;
    this.curves = curves;
    this.proofs = proofs;
    this.exports = exports;
    this.longReads = longReads;
    this.clock = clock;
    this.mapper = mapper;
  }

  /**
   * How often something happened.
   *
   * @param share of all in percent; null if there are none
   */
  record Count(String name, long number, @Nullable String share) {

    static Count of(String name, long number, long all) {
      return new Count(
          name,
          number,
          all == 0 ? null : String.format(Locale.ROOT, "%.2f %%", 100.0 * number / all));
    }
  }

  /** What is read of the coupon at once. */
  private record Reading(
      Map<UserCouponState, Long> counts,
      @Nullable Instant allIssuedAt,
      ReadCurve.Totals totals,
      @Nullable String to,
      CurveJson curve) {}

  @GetMapping("/console/coupons/{couponId}/report")
  String report(@PathVariable String couponId, Caller caller, Model model) {
    var id = CouponIds.parse(couponId);
    var view = readCoupon.readAny(id).orElseThrow(Problem::unknownCoupon);
    var reading = longReads.call(caller.userId(), () -> read(id, caller));
    var counts = reading.counts();
    // To the second, as the time at which all were issued.
    var begin = view.stored().claimableFrom().truncatedTo(ChronoUnit.SECONDS);
    var allIssuedAt = reading.allIssuedAt();
    model.addAttribute("coupon", CouponJson.view(view));
    model.addAttribute(
        "wasOpenBefore", view.stored().claimableFrom().equals(view.stored().definedAt()));
    model.addAttribute(
        "allIssued", allIssuedAt == null ? null : Duration.between(begin, allIssuedAt));
    model.addAttribute(
        "latency", reading.totals().latencies().percentiles().map(LatencyJson::of).orElse(null));
    model.addAttribute("answers", answers(reading.totals().answers()));
    long all = counts.values().stream().mapToLong(number -> number).sum();
    model.addAttribute(
        "states",
        Arrays.stream(UserCouponState.values())
            .map(state ->
                Count.of(
                    state.name().toLowerCase(Locale.ROOT), counts.getOrDefault(state, 0L), all))
            .toList());
    model.addAttribute("bucket", Duration.parse(reading.curve().bucket()).toSeconds());
    model.addAttribute("interval", reading.curve().bucket());
    model.addAttribute("to", reading.to());
    model.addAttribute("curve", mapper.writeValueAsString(reading.curve().points()));
    return "console/report";
  }

  private Reading read(CouponId id, Caller caller) {
    var counts = readCoupon.counts(id).orElseThrow(Problem::unknownCoupon);
    var allIssuedAt = readCurve.allIssuedAt(id).orElse(null);
    // So that the curve of a drop has its seconds also a day later.
    var to = allIssuedAt == null ? null : allIssuedAt.plus(AFTER_SELL_OUT).toString();
    return new Reading(
        counts,
        allIssuedAt,
        readCurve.totals(id).orElseThrow(Problem::unknownCoupon),
        to,
        curves.curve(id.value(), null, null, to, caller));
  }

  private static List<Count> answers(AnswerCounts answers) {
    long all = answers.sum();
    return List.of(
        Count.of("accepted", answers.accepted(), all),
        Count.of("already claimed", answers.alreadyClaimed(), all),
        Count.of("sold out", answers.soldOut(), all),
        Count.of("refused for another reason", answers.refused(), all),
        Count.of("503: recovering", answers.recovering(), all),
        Count.of("503: overloaded", answers.overloaded(), all),
        Count.of("503: outcome unknown", answers.outcomeUnknown(), all));
  }

  /**
   * How far the proof is.
   *
   * @param percent of its current part
   * @param secondsLeft for its current part; null if it has just begun
   */
  record Progress(
      String part, long compared, long expected, int percent, @Nullable Long secondsLeft) {

    static Progress of(ProgressJson json, Instant now) {
      var took = Duration.between(Instant.parse(json.begunAt()), now);
      var rows = new Completion(json.compared(), json.expected(), took);
      return new Progress(
          json.phase().toLowerCase(Locale.ROOT),
          rows.done(),
          rows.all(),
          rows.percent(),
          rows.left().map(Duration::toSeconds).orElse(null));
    }
  }

  /** The proof of the coupon, or how far it is. */
  @GetMapping("/console/coupons/{couponId}/report/proof")
  String proof(
      @PathVariable String couponId,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model)
      throws InterruptedException {
    var body = proofs.proof(couponId, AT_ONCE, caller, request).getBody();
    if (body instanceof ProofJson) {
      response.setStatus(ENOUGH);
    }
    model.addAttribute("proof", body instanceof ProofJson proof ? proof : null);
    model.addAttribute(
        "progress",
        body instanceof ProgressJson progress ? Progress.of(progress, clock.instant()) : null);
    return "console/proof";
  }

  /**
   * How far a file is.
   *
   * @param state of {@link Exports.State}
   * @param sent user coupons
   * @param secondsLeft null if it has just begun
   */
  record ExportProgress(
      String state, long sent, long expected, int percent, @Nullable Long secondsLeft) {

    static ExportProgress of(Exports.Export export) {
      var completion = export.completion();
      return new ExportProgress(
          export.state().name(),
          completion.done(),
          completion.all(),
          completion.percent(),
          completion.left().map(Duration::toSeconds).orElse(null));
    }
  }

  /** How far the file is that the operator has downloaded last. */
  @GetMapping("/console/coupons/{couponId}/report/export")
  String export(@PathVariable String couponId, Caller caller, Model model) {
    model.addAttribute("couponId", couponId);
    model.addAttribute(
        "export",
        exports
            .find(caller.user(), CouponIds.parse(couponId))
            .map(ExportProgress::of)
            .orElse(null));
    return "console/export";
  }
}
