package io.firstcome.bootstrap.rest;

import io.firstcome.application.DefineCoupon;
import io.firstcome.application.ProveExactness;
import io.firstcome.domain.coupon.Coupon;
import java.net.URI;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What operators do with coupons. */
@RestController
@RequestMapping("/api/v1/admin/coupons")
class AdminCouponController {

  private final DefineCoupon defineCoupon;
  private final ProveExactness proveExactness;

  AdminCouponController(DefineCoupon defineCoupon, ProveExactness proveExactness) {
    this.defineCoupon = defineCoupon;
    this.proveExactness = proveExactness;
  }

  @PostMapping
  ResponseEntity<CouponJson.View> define(@RequestBody CouponJson.Definition json) {
    return switch (defineCoupon.define(DefinitionReader.read(json))) {
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
    };
  }

  /** The proof, as JSON. */
  record ProofJson(
      int total,
      int slotsUsed,
      int free,
      long unrecorded,
      long missing,
      long extra,
      long lost,
      long duplicateUsers,
      long oldestUnrecordedMillis,
      long handoffDepth,
      boolean exact,
      List<DiscrepancyJson> discrepancies,
      String checkedAt) {}

  @GetMapping("/{couponId}/proof")
  ProofJson proof(@PathVariable String couponId) {
    var proof =
        proveExactness.prove(CouponIds.parse(couponId)).orElseThrow(() -> Problem.unknownCoupon());
    return new ProofJson(
        proof.total(),
        proof.slotsUsed(),
        proof.free(),
        proof.unrecorded(),
        proof.missing(),
        proof.extra(),
        proof.lost(),
        proof.duplicateUsers(),
        proof.oldestUnrecorded().toMillis(),
        proof.handoffDepth(),
        proof.exact(),
        proof.discrepancies().stream().map(DiscrepancyJson::of).toList(),
        proof.checkedAt().toString());
  }
}
