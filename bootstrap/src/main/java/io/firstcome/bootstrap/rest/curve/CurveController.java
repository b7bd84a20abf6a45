package io.firstcome.bootstrap.rest.curve;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.curve.ReadCurve;
import io.firstcome.application.curve.ReadCurve.Question;
import io.firstcome.bootstrap.load.LongReads;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.curve.CurvePoint;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint with which operators read how a coupon was claimed and issued over time. */
@RestController
@RequestMapping("/api/v1/admin/coupons/{couponId}/curve")
public class CurveController {

  private final ReadCurve readCurve;
  private final LongReads longReads;

  CurveController(ReadCurve readCurve, LongReads longReads) {
    this.readCurve = readCurve;
    this.longReads = longReads;
  }

  /**
   * The curve, as JSON.
   *
   * @param latency absent if there were no claims
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CurveJson(
      String from,
      String to,
      String bucket,
      @Nullable LatencyJson latency,
      List<PointJson> points) {

    static CurveJson of(ReadCurve.Answer.Curve curve) {
      return new CurveJson(
          curve.from().toString(),
          curve.to().toString(),
          curve.interval().toString(),
          curve.latencies().percentiles().map(LatencyJson::of).orElse(null),
          curve.points().stream().map(PointJson::of).toList());
    }
  }

  /** What happened in one interval, as JSON. */
  public record PointJson(
      String at,
      long issued,
      long accepted,
      long alreadyClaimed,
      long soldOut,
      long refused,
      long recovering,
      long overloaded,
      long outcomeUnknown) {

    static PointJson of(CurvePoint point) {
      var answers = point.answers();
      return new PointJson(
          point.at().toString(),
          point.issued(),
          answers.accepted(),
          answers.alreadyClaimed(),
          answers.soldOut(),
          answers.refused(),
          answers.recovering(),
          answers.overloaded(),
          answers.outcomeUnknown());
    }
  }

  @GetMapping
  public CurveJson curve(
      @PathVariable String couponId,
      @RequestParam(required = false) @Nullable String bucket,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      Caller caller) {
    var id = CouponIds.parse(couponId);
    var question =
        new Question(
            read("from", from, MemberReader::time),
            read("to", to, MemberReader::time),
            read("bucket", bucket, CurveController::interval));
    var answer =
        longReads
            .call(caller.userId(), () -> readCurve.read(id, question))
            .orElseThrow(Problem::unknownCoupon);
    return switch (answer) {
      case ReadCurve.Answer.Curve curve -> CurveJson.of(curve);
      case ReadCurve.Answer.TooLong() ->
          throw Problem.malformed(
              "The curve would have more than %d buckets; ask for longer ones or a shorter time."
                  .formatted(ReadCurve.MOST_INTERVALS));
    };
  }

  private static Duration interval(String text) {
    var interval = MemberReader.duration(text);
    Question.requireInterval(interval);
    return interval;
  }

  private static <T> @Nullable T read(
      String parameter, @Nullable String text, Function<String, T> conversion) {
    try {
      return text == null ? null : conversion.apply(text);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("%s: %s.".formatted(parameter, e.getMessage()));
    }
  }
}
