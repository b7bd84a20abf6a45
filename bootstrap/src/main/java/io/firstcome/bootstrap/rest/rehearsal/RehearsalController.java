package io.firstcome.bootstrap.rest.rehearsal;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.rehearsal.ReadRehearsals;
import io.firstcome.application.rehearsal.ReadRehearsals.FromRehearsal;
import io.firstcome.application.rehearsal.StartRehearsal;
import io.firstcome.bootstrap.load.WaitingRequests;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rehearsal.RehearsalWork;
import io.firstcome.bootstrap.rest.rehearsal.PlanReader.PlanJson;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.wiring.LoadLimits;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.rehearsal.RehearsalId;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators rehearse drops, and read what is expected of them. */
@RestController
public class RehearsalController {

  private static final String REHEARSALS = "/api/v1/admin/rehearsals";
  private static final String OF_COUPON = "/api/v1/admin/coupons/{couponId}/rehearsals";
  private static final int MOST = 1_000;

  private final RehearsalWork work;
  private final ReadRehearsals rehearsals;
  private final ReadCoupon readCoupon;
  private final LoadLimits limits;
  private final PacedCalls paced = new PacedCalls(Duration.ofSeconds(10));
  private final WaitingRequests waiting = new WaitingRequests("forecasts");

  RehearsalController(
      RehearsalWork work, ReadRehearsals rehearsals, ReadCoupon readCoupon, LoadLimits limits) {
    this.work = work;
    this.rehearsals = rehearsals;
    this.readCoupon = readCoupon;
    this.limits = limits;
  }

  /**
   * What is to be rehearsed, as JSON; see {@link PlanJson}.
   *
   * @param besideOpenCoupons whether it may take capacity from coupons that can be claimed now
   */
  public record StartJson(
      @Nullable Integer users,
      @Nullable Integer quantity,
      @Nullable String shape,
      @Nullable Integer seconds,
      @Nullable Integer bursts,
      @Nullable Boolean besideOpenCoupons) {}

  /** The latest rehearsals, newest first. */
  record ListJson(List<RehearsalJson> items) {}

  @PostMapping(OF_COUPON)
  public ResponseEntity<RehearsalJson> start(
      @PathVariable String couponId, @RequestBody StartJson json, Caller caller) {
    var plan =
        PlanReader.plan(
            coupon(couponId),
            new PlanJson(
                json.users(), json.quantity(), json.shape(), json.seconds(), json.bursts()));
    boolean beside = Boolean.TRUE.equals(json.besideOpenCoupons());
    return switch (work.start(plan, beside, caller.operator())) {
      case StartRehearsal.Result.Started(var rehearsal) ->
          ResponseEntity.accepted()
              .location(URI.create(REHEARSALS + "/" + rehearsal.id()))
              .body(RehearsalJson.of(rehearsal));
      case StartRehearsal.Result.InProgress() ->
          throw Problem.of(
              ProblemType.REHEARSAL_IN_PROGRESS,
              "A rehearsal is in progress, or what it has issued is still being removed.");
      case StartRehearsal.Result.OpenCoupon(var open) ->
          throw Problem.of(
              ProblemType.COUPON_IS_OPEN,
              "Customers can claim %s now or before the rehearsal ends, and it takes capacity from them: set besideOpenCoupons to allow that."
                  .formatted(open));
      case StartRehearsal.Result.Archived() ->
          throw Problem.of(ProblemType.ARCHIVED, "The coupon is archived.");
      case StartRehearsal.Result.Impossible(String reason) ->
          throw Problem.of(ProblemType.CANNOT_REHEARSE, reason);
      case StartRehearsal.Result.Unknown() -> throw Problem.unknownCoupon();
    };
  }

  private Coupon coupon(String couponId) {
    return readCoupon
        .readAny(CouponIds.parse(couponId))
        .orElseThrow(Problem::unknownCoupon)
        .coupon();
  }

  @GetMapping(REHEARSALS)
  ListJson list(@RequestParam(defaultValue = PageLimit.DEFAULT) String limit) {
    return new ListJson(
        rehearsals.latest(PageLimit.parse(limit)).stream().map(RehearsalJson::of).toList());
  }

  @GetMapping(REHEARSALS + "/{rehearsalId}")
  RehearsalJson read(@PathVariable String rehearsalId) {
    return rehearsals
        .find(parse(rehearsalId))
        .map(RehearsalJson::of)
        .orElseThrow(RehearsalController::unknown);
  }

  /** Ends it early; what it has issued is removed. No effect on one that has ended. */
  @DeleteMapping(REHEARSALS + "/{rehearsalId}")
  public ResponseEntity<Void> stop(@PathVariable String rehearsalId, Caller caller) {
    var id = rehearsals.find(parse(rehearsalId)).orElseThrow(RehearsalController::unknown).id();
    rehearsals.stop(id, caller.operator());
    return ResponseEntity.noContent().build();
  }

  /**
   * What is expected of a drop, as JSON. Times are from the first claim on.
   *
   * @param rehearsalId whose costs were used
   * @param soldOutMillis absent if slots are left
   * @param overloadedAnswers claims that are answered 503 and repeated
   * @param processorsNeeded of all instances, so that no user waits longer than a second; absent if
   *     more do not help
   * @param instancesNeeded to have these processors
   * @param stockBytes absent if not known
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ForecastJson(
      long rehearsalId,
      int users,
      int quantity,
      int instances,
      int processors,
      @Nullable Long soldOutMillis,
      long answeredMillis,
      long recordedMillis,
      long longestWaitMillis,
      int mostAnswersPerSecond,
      long overloadedAnswers,
      @Nullable Integer processorsNeeded,
      @Nullable Integer instancesNeeded,
      @Nullable Long stockBytes) {

    static ForecastJson of(FromRehearsal from, int users, int quantity) {
      var forecast = from.forecast();
      var soldOutAfter = forecast.soldOutAfter();
      var processors = forecast.processors();
      int ofEach = from.deployment().processors();
      return new ForecastJson(
          from.rehearsal().id().value(),
          users,
          quantity,
          from.deployment().instances(),
          ofEach,
          soldOutAfter == null ? null : soldOutAfter.toMillis(),
          forecast.answeredAfter().toMillis(),
          forecast.recordedAfter().toMillis(),
          forecast.longestWait().toMillis(),
          forecast.mostAnswers(),
          forecast.busyAnswers(),
          processors,
          processors == null ? null : Math.ceilDiv(processors, ofEach),
          forecast.stockBytes());
    }
  }

  /**
   * The parameters of a forecast.
   *
   * @param processors of one instance; if missing, those of the instance that has rehearsed
   * @param sendsClaims whether the instances also send the claims, as in a rehearsal; false if
   *     missing
   */
  public record ForecastQuery(
      @Nullable String users,
      @Nullable String quantity,
      @Nullable String shape,
      @Nullable String seconds,
      @Nullable String bursts,
      @Nullable String instances,
      @Nullable String processors,
      @Nullable String sendsClaims) {

    private PlanJson plan() {
      return new PlanJson(
          WholeNumber.optional("users", users),
          WholeNumber.optional("quantity", quantity),
          shape == null || shape.isBlank() ? null : shape,
          WholeNumber.optional("seconds", seconds),
          WholeNumber.optional("bursts", bursts));
    }
  }

  @GetMapping("/api/v1/admin/coupons/{couponId}/forecast")
  public ForecastJson forecast(
      @PathVariable String couponId, ForecastQuery query, Caller caller, HttpServletRequest request)
      throws InterruptedException {
    var plan = PlanReader.plan(coupon(couponId), query.plan());
    var instances = WholeNumber.optional("instances", query.instances());
    var processors = WholeNumber.optional("processors", query.processors());
    if (isOutOfRange(instances) || isOutOfRange(processors)) {
      throw Problem.malformed("instances and processors must be 1 to 1000.");
    }
    // Read before: the pause after a call is as long as three times the call.
    var rehearsal =
        rehearsals.latestResult(plan.couponId()).orElseThrow(RehearsalController::notRehearsed);
    Supplier<Optional<FromRehearsal>> forecast =
        () ->
            ReadRehearsals.forecast(
                rehearsal,
                plan,
                instances == null ? 1 : instances,
                processors,
                limits.leastClaims(),
                Boolean.parseBoolean(query.sendsClaims()));
    return waiting
        .await(request, caller, () -> paced.call(caller.userId(), forecast))
        .map(found -> ForecastJson.of(found, plan.users(), plan.quantity()))
        .orElseThrow(RehearsalController::notRehearsed);
  }

  private static Problem notRehearsed() {
    return Problem.of(
        ProblemType.NOT_REHEARSED,
        "A forecast needs the costs that a rehearsal of this coupon has measured, and there is"
            + " none.");
  }

  private static boolean isOutOfRange(@Nullable Integer number) {
    return number != null && (number < 1 || number > MOST);
  }

  /** A text that is not a valid id is answered like an unknown id. */
  private static RehearsalId parse(String path) {
    try {
      return new RehearsalId(WholeNumber.parse(path));
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private static Problem unknown() {
    return Problem.of(ProblemType.UNKNOWN_REHEARSAL, "There is no rehearsal with this id.");
  }
}
