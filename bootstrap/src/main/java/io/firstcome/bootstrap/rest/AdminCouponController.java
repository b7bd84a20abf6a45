package io.firstcome.bootstrap.rest;

import io.firstcome.application.ArchiveCoupon;
import io.firstcome.application.ChangeCoupon;
import io.firstcome.application.DefineCoupon;
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

/** What operators do with coupons. */
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
    return switch (untilInStock(
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
              "A coupon of this id is defined with other content; nothing changed.");
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

  /** How many pieces there are to be. */
  record QuantityJson(@Nullable Integer totalQuantity) {}

  @PostMapping("/{couponId}/quantity")
  CouponJson.View raise(
      @PathVariable String couponId, @RequestBody QuantityJson json, Caller caller) {
    int totalQuantity = DefinitionReader.totalQuantity(json.totalQuantity());
    return change(couponId, coupon -> coupon.raiseTo(totalQuantity), caller);
  }

  private CouponJson.View change(
      String couponId, Function<Coupon, CouponChange> wish, Caller caller) {
    var id = CouponIds.parse(couponId);
    return switch (untilInStock(() -> changeCoupon.change(id, wish, caller.operator()))) {
      case ChangeCoupon.Result.Done(Coupon coupon) -> CouponJson.view(coupon, null);
      case ChangeCoupon.Result.Refused(var reason) -> throw refused(reason);
      case ChangeCoupon.Result.Unknown() -> throw Problem.unknownCoupon();
      case ChangeCoupon.Result.Overtaken() -> throw overtaken();
    };
  }

  @PostMapping("/{couponId}/archive")
  CouponJson.View archive(@PathVariable String couponId, Caller caller) {
    var id = CouponIds.parse(couponId);
    return switch (untilInStock(() -> archiveCoupon.archive(id, caller.operator()))) {
      case ArchiveCoupon.Result.Archived(Coupon coupon) -> CouponJson.view(coupon, 0);
      case ArchiveCoupon.Result.Refused(var reason) -> throw refused(reason);
      case ArchiveCoupon.Result.NotSettled(var open) ->
          throw Problem.conflict(
                  "not-settled",
                  "Not settled",
                  "The coupon can be archived when everything is recorded; nothing changed.")
              .with("open", open);
      case ArchiveCoupon.Result.StockAway() -> throw ProblemAdvice.recovering();
      case ArchiveCoupon.Result.Unknown() -> throw Problem.unknownCoupon();
      case ArchiveCoupon.Result.Overtaken() -> throw overtaken();
    };
  }

  private static Problem overtaken() {
    return Problem.unavailable(
        "overloaded",
        "Overloaded",
        "Others change this coupon at the same time; nothing happened. Try again.",
        SOON);
  }

  private static Problem refused(CouponChange.Refused.Reason reason) {
    return switch (reason) {
      case CLOSED_FOR_GOOD ->
          Problem.conflict(
              "closed", "Closed", "The coupon is closed and stays as it is; nothing changed.");
      case ARCHIVED_FOR_GOOD ->
          Problem.conflict(
              "archived",
              "Archived",
              "The coupon is archived and stays as it is; nothing changed.");
      case NOT_CLOSED ->
          Problem.conflict(
              "not-closed", "Not closed", "Only a closed coupon is archived; nothing changed.");
      case FEWER_PIECES ->
          Problem.conflict(
              "fewer-pieces",
              "Fewer pieces",
              "The quantity of a coupon can only be raised; nothing changed.");
    };
  }

  /** Tells the truth where the database has the coupon as wished, and the stock may not. */
  private static <T> T untilInStock(Supplier<T> step) {
    try {
      return step.get();
    } catch (StockUnavailableException e) {
      throw ProblemAdvice.outcomeUnknown(
          "This is stored, and claims will follow it as soon as the stock is back. Ask again to"
              + " know when, which is safe.",
          SOON);
    }
  }
}
