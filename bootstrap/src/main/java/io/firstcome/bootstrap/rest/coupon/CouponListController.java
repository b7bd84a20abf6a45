package io.firstcome.bootstrap.rest.coupon;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.rest.request.PublicDocument;
import io.firstcome.bootstrap.rest.wallet.UserCouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponId;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists coupons for everybody, and for a customer with the own claims: all of an event page. */
@RestController
class CouponListController {

  private static final int MOST_IDS = 20;

  private final ListCoupons listCoupons;
  private final CouponSnapshots snapshots;
  private final FindClaim findClaim;

  CouponListController(ListCoupons listCoupons, CouponSnapshots snapshots, FindClaim findClaim) {
    this.listCoupons = listCoupons;
    this.snapshots = snapshots;
    this.findClaim = findClaim;
  }

  /**
   * A coupon of a list.
   *
   * @param mine the claim of the caller; absent if there is none, or the caller is no customer. Its
   *     state is UNKNOWN if it could not be read
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ItemJson(@JsonUnwrapped CouponJson.View coupon, @Nullable UserCouponJson mine) {}

  /**
   * A page of coupons.
   *
   * @param next the {@code after} of the next page; absent on the last page
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PageJson(List<ItemJson> items, @Nullable String next) {}

  /**
   * A page of the coupons that are published and not archived, ordered by id.
   *
   * @param ids of coupons, with commas between them; the answer has only these then, in this order,
   *     without those that do not exist, and has no pages
   */
  @GetMapping("/api/v1/coupons")
  PageJson coupons(
      @RequestParam(required = false) @Nullable String ids,
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after,
      Caller caller,
      HttpServletResponse response) {
    if (ids != null) {
      return answer(parse(ids), null, caller, response);
    }
    var page = listCoupons.listed(after == null ? null : place(after), PageLimit.parse(limit));
    return answer(new LinkedHashSet<>(page.ids()), page.next(), caller, response);
  }

  private static CouponId place(String after) {
    try {
      return new CouponId(after);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("after must be the value of next of a page.");
    }
  }

  private static Set<CouponId> parse(String ids) {
    var texts = Arrays.stream(ids.split(",", -1)).distinct().toList();
    if (texts.size() > MOST_IDS) {
      throw Problem.malformed("ids must be at most %d.".formatted(MOST_IDS));
    }
    var parsed = new LinkedHashSet<CouponId>();
    for (var text : texts) {
      try {
        parsed.add(new CouponId(text));
      } catch (IllegalArgumentException e) {
        throw Problem.malformed("ids must be ids of coupons, with commas between them.");
      }
    }
    return parsed;
  }

  private PageJson answer(
      Set<CouponId> ids, @Nullable CouponId next, Caller caller, HttpServletResponse response) {
    var views = new LinkedHashMap<CouponId, CouponJson.View>();
    for (var id : ids) {
      snapshots.find(id).ifPresent(snapshot -> views.put(id, snapshot.view()));
    }
    var user = caller.userId();
    var claims =
        user == null
            ? Map.<CouponId, FindClaim.Result>of()
            : findClaim.findAll(views.keySet(), user);
    var items =
        views.entrySet().stream()
            .map(entry ->
                new ItemJson(
                    entry.getValue(),
                    user == null ? null : mine(entry.getKey(), claims.get(entry.getKey()))))
            .toList();
    var page = new PageJson(items, next == null ? null : next.value());
    // The filter of cross-origin requests has set this header already, to values that must stay.
    response.addHeader(HttpHeaders.VARY, "Authorization, X-User-Id");
    if (user == null) {
      // Replaces the default of all answers.
      response.setHeader(HttpHeaders.CACHE_CONTROL, PublicDocument.CACHE_CONTROL);
    }
    return page;
  }

  private static @Nullable UserCouponJson mine(
      CouponId couponId, FindClaim.@Nullable Result claim) {
    return claim == null
        ? UserCouponJson.unknown(couponId)
        : UserCouponJson.ofClaim(couponId, claim).orElse(null);
  }
}
