package io.firstcome.bootstrap.rest.admin;

import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.port.StockUnavailableException;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators define, change and archive coupons. */
@RestController
@RequestMapping("/api/v1/admin/coupons")
class AdminCouponController {

  private static final Duration SOON = Duration.ofSeconds(2);

  private final DefineCoupon defineCoupon;
  private final ChangeCoupon changeCoupon;
  private final ArchiveCoupon archiveCoupon;

  AdminCouponController(
      DefineCoupon defineCoupon, ChangeCoupon changeCoupon, ArchiveCoupon archiveCoupon) {
    this.defineCoupon = defineCoupon;
    this.changeCoupon = changeCoupon;
    this.archiveCoupon = archiveCoupon;
  }

  @PostMapping
  ResponseEntity<CouponJson.View> define(@RequestBody CouponJson.Definition json, Caller caller) {
    var definition = DefinitionReader.read(json);
    var backend = DefinitionReader.stockBackend(json.stockBackend());
    return switch (orOutcomeUnknown(
        () -> defineCoupon.define(definition, backend, caller.operator()))) {
      case DefineCoupon.Result.Defined(Coupon coupon) ->
          ResponseEntity.created(URI.create("/api/v1/coupons/" + coupon.id()))
              .body(CouponJson.view(coupon, null));
      case DefineCoupon.Result.SameAsBefore(Coupon coupon) ->
          ResponseEntity.ok(CouponJson.view(coupon, null));
      case DefineCoupon.Result.AlreadyDefined() ->
          throw Problem.conflict(
              "already-defined",
              "Already defined",
              "A coupon with this id is already defined differently; nothing changed.");
      case DefineCoupon.Result.Refused(var reason) -> throw DefinitionReader.refused(reason);
    };
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

  private CouponJson.View change(
      String couponId, Function<Coupon, CouponChange> transition, Caller caller) {
    var id = CouponIds.parse(couponId);
    return switch (orOutcomeUnknown(() -> changeCoupon.change(id, transition, caller.operator()))) {
      case ChangeCoupon.Result.Done(Coupon coupon) -> CouponJson.view(coupon, null);
      case ChangeCoupon.Result.Refused(var reason) -> throw refused(reason);
      case ChangeCoupon.Result.Unknown() -> throw Problem.unknownCoupon();
      case ChangeCoupon.Result.ConcurrentChange() -> throw Problem.concurrentChange();
    };
  }

  @PostMapping("/{couponId}/archive")
  CouponJson.View archive(@PathVariable String couponId, Caller caller) {
    var id = CouponIds.parse(couponId);
    return switch (orOutcomeUnknown(() -> archiveCoupon.archive(id, caller.operator()))) {
      case ArchiveCoupon.Result.Archived(Coupon coupon) -> CouponJson.view(coupon, 0);
      case ArchiveCoupon.Result.Refused(var reason) -> throw refused(reason);
      case ArchiveCoupon.Result.NotSettled(var open) ->
          throw Problem.conflict(
                  "not-settled",
                  "Not settled",
                  "The coupon can be archived once nothing is listed in 'open'; nothing changed.")
              .with("open", open);
      case ArchiveCoupon.Result.StockUnreachable() -> throw ProblemAdvice.recovering();
      case ArchiveCoupon.Result.Unknown() -> throw Problem.unknownCoupon();
      case ArchiveCoupon.Result.ConcurrentChange() -> throw Problem.concurrentChange();
    };
  }

  private static Problem refused(CouponChange.Refused.Reason reason) {
    return switch (reason) {
      case CLOSED_FOR_GOOD ->
          Problem.conflict(
              "closed",
              "Closed",
              "The coupon is closed and can only be archived; nothing changed.");
      case ARCHIVED_FOR_GOOD ->
          Problem.conflict(
              "archived",
              "Archived",
              "The coupon is archived and cannot be changed; nothing changed.");
      case NOT_CLOSED ->
          Problem.conflict(
              "not-closed", "Not closed", "Only a closed coupon can be archived; nothing changed.");
      case LOWER_QUANTITY ->
          Problem.conflict(
              "lower-quantity",
              "Lower quantity",
              "The quantity of a coupon can only be raised; nothing changed.");
    };
  }

  /** Answers {@code outcome-unknown} if the database has the change and the stock may not. */
  private static <T> T orOutcomeUnknown(Supplier<T> step) {
    try {
      return step.get();
    } catch (StockUnavailableException e) {
      throw ProblemAdvice.outcomeUnknown(
          "The change is stored, and applied to claims once the stock is reachable. Retry to see"
              + " whether it is applied; retrying is safe.",
          SOON);
    }
  }
}
