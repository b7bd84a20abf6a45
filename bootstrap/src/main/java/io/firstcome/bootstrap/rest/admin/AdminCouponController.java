package io.firstcome.bootstrap.rest.admin;

import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.InvalidMemberException;
import java.net.URI;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints with which operators define, change and archive coupons. The console calls them too, so
 * that it refuses what they refuse, with the same words.
 */
@RestController
@RequestMapping("/api/v1/admin/coupons")
public class AdminCouponController {

  private final DefineCoupon defineCoupon;
  private final ChangeCoupon changeCoupon;
  private final ArchiveCoupon archiveCoupon;
  private final ReadCoupon readCoupon;

  AdminCouponController(
      DefineCoupon defineCoupon,
      ChangeCoupon changeCoupon,
      ArchiveCoupon archiveCoupon,
      ReadCoupon readCoupon) {
    this.defineCoupon = defineCoupon;
    this.changeCoupon = changeCoupon;
    this.archiveCoupon = archiveCoupon;
    this.readCoupon = readCoupon;
  }

  @PostMapping
  public ResponseEntity<CouponJson.View> define(
      @RequestBody CouponJson.Definition json, Caller caller) {
    var definition = DefinitionReader.read(json);
    var backend = DefinitionReader.stockBackend(json.stockBackend());
    return defined(
        OutcomeUnknown.unlessApplied(() ->
            Boolean.TRUE.equals(json.draft())
                ? defineCoupon.defineDraft(definition, backend, caller.operator())
                : defineCoupon.define(definition, backend, caller.operator())));
  }

  private ResponseEntity<CouponJson.View> defined(DefineCoupon.Result result) {
    return switch (result) {
      case DefineCoupon.Result.Defined(Coupon coupon) ->
          ResponseEntity.created(location(coupon)).body(view(coupon));
      case DefineCoupon.Result.SameAsBefore(Coupon coupon) -> ResponseEntity.ok(view(coupon));
      case DefineCoupon.Result.AlreadyDefined() ->
          throw Problem.of(
              ProblemType.ALREADY_DEFINED,
              "A coupon with this id is already defined differently, is a draft, or was deleted as a"
                  + " draft; nothing changed.");
      case DefineCoupon.Result.Refused(var reason) -> throw DefinitionReader.refused(reason);
    };
  }

  /** Customers cannot see a draft. */
  private static URI location(Coupon coupon) {
    var path = coupon.isPublished() ? "/api/v1/coupons/" : "/api/v1/admin/coupons/";
    return URI.create(path + coupon.id());
  }

  private CouponJson.View view(Coupon coupon) {
    return OutcomeUnknown.readAfterwards(() -> readCoupon.readAny(coupon.id()))
        .map(CouponJson::view)
        .orElseThrow(() -> Problem.unknownCoupon());
  }

  /** The id of the copy. */
  record CopyJson(@Nullable String couponId) {}

  /** Defines a draft like that coupon. */
  @PostMapping("/{couponId}/copy")
  ResponseEntity<CouponJson.View> copy(
      @PathVariable String couponId, @RequestBody CopyJson json, Caller caller) {
    var source = CouponIds.parse(couponId);
    var copy = DefinitionReader.idOfCopy(json.couponId(), source);
    return switch (defineCoupon.copy(source, copy, caller.operator())) {
      case DefineCoupon.Copied.Done(var result) -> defined(result);
      case DefineCoupon.Copied.Unknown() -> throw Problem.unknownCoupon();
    };
  }

  @PostMapping("/{couponId}/publish")
  CouponJson.View publish(@PathVariable String couponId, Caller caller) {
    return change(couponId, Coupon::publish, caller);
  }

  @PostMapping("/{couponId}/pause")
  CouponJson.View pause(@PathVariable String couponId, Caller caller) {
    return change(couponId, Coupon::pause, caller);
  }

  @PostMapping("/{couponId}/resume")
  CouponJson.View resume(@PathVariable String couponId, Caller caller) {
    return change(couponId, Coupon::resume, caller);
  }

  @PostMapping("/{couponId}/close")
  CouponJson.View close(@PathVariable String couponId, Caller caller) {
    return change(couponId, Coupon::close, caller);
  }

  /** The new quantity. */
  record QuantityJson(@Nullable Integer totalQuantity) {}

  @PostMapping("/{couponId}/quantity")
  CouponJson.View raise(
      @PathVariable String couponId, @RequestBody QuantityJson json, Caller caller) {
    int totalQuantity = DefinitionReader.totalQuantity(json.totalQuantity());
    return change(couponId, coupon -> coupon.raiseTo(totalQuantity), caller);
  }

  /**
   * What can change in a waiting room at any time; what is missing stays as it is.
   *
   * @param admissionsPerSecond users who are served in a second
   * @param paused whether nobody is served
   * @param challenge whether users must pass a challenge before they join
   */
  public record RoomChangeJson(
      @Nullable Integer admissionsPerSecond,
      @Nullable Boolean paused,
      @Nullable Boolean challenge) {}

  @PostMapping("/{couponId}/waiting-room")
  public CouponJson.View changeRoom(
      @PathVariable String couponId, @RequestBody RoomChangeJson json, Caller caller) {
    return change(couponId, coupon -> changeRoom(coupon, json), caller);
  }

  private static CouponChange changeRoom(Coupon coupon, RoomChangeJson json) {
    var room = coupon.definition().waitingRoom();
    if (room == null) {
      throw Problem.of(ProblemType.NO_WAITING_ROOM, "The coupon has no waiting room.");
    }
    int perSecond =
        Objects.requireNonNullElse(json.admissionsPerSecond(), room.admissionsPerSecond());
    boolean paused = Objects.requireNonNullElse(json.paused(), room.isPaused());
    boolean challenged = Objects.requireNonNullElse(json.challenge(), room.isChallenged());
    try {
      return coupon.changeRoom(perSecond, paused, challenged);
    } catch (InvalidMemberException e) {
      throw DefinitionReader.invalid(e);
    }
  }

  /**
   * Changes that revision of the coupon. A repeated call has no effect.
   *
   * @throws Problem also {@code overtaken}, if the coupon has another revision
   */
  public CouponJson.View change(
      String couponId, int revision, Function<Coupon, CouponChange> transition, Caller caller) {
    return change(
        couponId,
        coupon -> {
          var change = transition.apply(coupon);
          if (change instanceof CouponChange.Changed && coupon.revision() != revision) {
            throw Problem.overtaken("coupon", coupon.revision());
          }
          return change;
        },
        caller);
  }

  private CouponJson.View change(
      String couponId, Function<Coupon, CouponChange> transition, Caller caller) {
    var id = CouponIds.parse(couponId);
    return switch (OutcomeUnknown.unlessApplied(
        () -> changeCoupon.change(id, transition, caller.operator()))) {
      case ChangeCoupon.Result.Done(Coupon coupon) -> view(coupon);
      case ChangeCoupon.Result.Refused(var reason) -> throw ChangeProblems.of(reason);
      case ChangeCoupon.Result.Unknown() -> throw Problem.unknownCoupon();
      case ChangeCoupon.Result.ConcurrentChange() -> throw Problem.concurrentChange();
    };
  }

  @PostMapping("/{couponId}/archive")
  public CouponJson.View archive(@PathVariable String couponId, Caller caller) {
    var id = CouponIds.parse(couponId);
    return switch (OutcomeUnknown.unlessApplied(
        () -> archiveCoupon.archive(id, caller.operator()))) {
      case ArchiveCoupon.Result.Archived(Coupon coupon) -> view(coupon);
      case ArchiveCoupon.Result.Refused(var reason) -> throw ChangeProblems.of(reason);
      case ArchiveCoupon.Result.NotSettled(var open) ->
          throw Problem.of(
                  ProblemType.NOT_SETTLED,
                  "The coupon can be archived once nothing is listed in 'open'; nothing changed.")
              .with("open", open);
      case ArchiveCoupon.Result.StockUnreachable() -> throw ProblemAdvice.recovering();
      case ArchiveCoupon.Result.Unknown() -> throw Problem.unknownCoupon();
      case ArchiveCoupon.Result.ConcurrentChange() -> throw Problem.concurrentChange();
    };
  }
}
