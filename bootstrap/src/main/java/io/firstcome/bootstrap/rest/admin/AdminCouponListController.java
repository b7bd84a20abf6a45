package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.load.LongReads;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators read coupons. */
@RestController
@RequestMapping("/api/v1/admin/coupons")
class AdminCouponListController {

  private final ListCoupons listCoupons;
  private final ReadCoupon readCoupon;
  private final LongReads longReads;

  AdminCouponListController(ListCoupons listCoupons, ReadCoupon readCoupon, LongReads longReads) {
    this.longReads = longReads;
    this.listCoupons = listCoupons;
    this.readCoupon = readCoupon;
  }

  /**
   * A page of coupons, ordered by id.
   *
   * @param next the {@code after} of the next page; absent on the last page
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PageJson(List<CouponJson.View> items, @Nullable String next) {}

  @GetMapping
  PageJson page(
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    var page =
        listCoupons.page(
            status == null ? null : status(status),
            after == null ? null : after(after),
            PageLimit.parse(limit));
    var next = page.next();
    return new PageJson(
        page.items().stream().map(CouponJson::view).toList(), next == null ? null : next.value());
  }

  private static CouponStatus status(String text) {
    try {
      return CouponStatus.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed(
          "status must be one of %s.".formatted(Arrays.toString(CouponStatus.values())));
    }
  }

  private static CouponId after(String text) {
    try {
      return new CouponId(text);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("after must be the value of next of a page.");
    }
  }

  /**
   * A coupon as operators see it.
   *
   * @param stockBackend where its stock is
   * @param counts the current number of user coupons by state, in lower case
   * @param removal of the rows of its user coupons; absent if it has not begun
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record OperatorsView(
      @JsonUnwrapped CouponJson.View coupon,
      String stockBackend,
      Map<String, Long> counts,
      @Nullable RemovalJson removal) {}

  /**
   * The removal of user coupons whose retention is over.
   *
   * @param endedAt absent while it is in progress
   * @param userCoupons how many were exported and removed so far
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record RemovalJson(String begunAt, @Nullable String endedAt, int userCoupons) {

    static RemovalJson of(StoredCoupon.Removal removal) {
      var endedAt = removal.endedAt();
      return new RemovalJson(
          removal.begunAt().toString(),
          endedAt == null ? null : endedAt.toString(),
          removal.userCoupons());
    }
  }

  @GetMapping("/{couponId}")
  OperatorsView coupon(@PathVariable String couponId, Caller caller) {
    var id = CouponIds.parse(couponId);
    var view = readCoupon.readAny(id).orElseThrow(Problem::unknownCoupon);
    var counts =
        longReads
            .call(caller.userId(), () -> readCoupon.counts(id))
            .orElseThrow(Problem::unknownCoupon);
    var stored = view.stored();
    var removal = stored.removal();
    return new OperatorsView(
        CouponJson.view(view),
        stored.coupon().stockBackend().name().toLowerCase(Locale.ROOT),
        counts(counts),
        removal == null ? null : RemovalJson.of(removal));
  }

  private static Map<String, Long> counts(Map<UserCouponState, Long> counts) {
    var json = new LinkedHashMap<String, Long>();
    for (var state : UserCouponState.values()) {
      json.put(state.name().toLowerCase(Locale.ROOT), counts.get(state));
    }
    return json;
  }
}
