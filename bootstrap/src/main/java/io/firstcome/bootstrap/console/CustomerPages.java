package io.firstcome.bootstrap.console;

import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.usercoupon.FindRedemptions;
import io.firstcome.application.usercoupon.ListUserCoupons;
import io.firstcome.application.usercoupon.LookUpUserCoupons;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.admin.AdminAuditController;
import io.firstcome.bootstrap.rest.admin.AdminUserCouponController;
import io.firstcome.bootstrap.rest.admin.AdminUserCouponController.RevocationJson;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.bootstrap.rest.wallet.UserCouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.shop.ShopId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/**
 * The pages on which an operator finds the user coupons of a customer. What is looked for is in the
 * body of a request: user ids and codes must not be in addresses, which proxies write into logs.
 */
@Controller
class CustomerPages {

  private static final String PAGE = "console/customers";
  private static final int MOST = 50;
  private static final String AUDIT_ENTRIES = "100";
  private static final String NO_CLAIM = "NONE";

  private final ListUserCoupons listUserCoupons;
  private final LookUpUserCoupons lookUpUserCoupons;
  private final FindRedemptions findRedemptions;
  private final FindClaim findClaim;
  private final AdminAuditController audits;
  private final AdminUserCouponController revocations;

  CustomerPages(
      ListUserCoupons listUserCoupons,
      LookUpUserCoupons lookUpUserCoupons,
      FindRedemptions findRedemptions,
      FindClaim findClaim,
      AdminAuditController audits,
      AdminUserCouponController revocations) {
    this.listUserCoupons = listUserCoupons;
    this.lookUpUserCoupons = lookUpUserCoupons;
    this.findRedemptions = findRedemptions;
    this.findClaim = findClaim;
    this.audits = audits;
    this.revocations = revocations;
  }

  /** What a page shows of a user coupon; never its code, which only its owner may see. */
  record View(
      String id,
      String couponId,
      String userId,
      int slot,
      String state,
      String issuedAt,
      String expiresAt,
      @Nullable String order,
      @Nullable String shop,
      @Nullable String ended,
      boolean canBeRevoked) {

    static View of(UserCoupon userCoupon) {
      var redemption = userCoupon.currentRedemption();
      var shop = redemption == null ? null : redemption.shop();
      return new View(
          userCoupon.id().toString(),
          userCoupon.couponId().value(),
          userCoupon.userId().value(),
          userCoupon.slot().number(),
          userCoupon.state().name().toLowerCase(Locale.ROOT),
          userCoupon.issuedAt().toString(),
          userCoupon.ownership().expiresAt().toString(),
          redemption == null ? null : redemption.orderId().value(),
          shop == null ? null : shop.value(),
          userCoupon instanceof UserCoupon.Revoked revoked ? revoked.reason() : null,
          userCoupon instanceof UserCoupon.Issued || userCoupon instanceof UserCoupon.Held);
    }
  }

  @GetMapping("/console/customers")
  String empty(Model model) {
    return page(null, "", List.of(), null, model);
  }

  private static String page(
      @Nullable String question,
      String user,
      List<UserCoupon> found,
      @Nullable UserCouponCursor next,
      Model model) {
    model.addAttribute("question", question);
    model.addAttribute("user", user);
    model.addAttribute("found", found.stream().map(View::of).toList());
    model.addAttribute("next", next == null ? null : next.toString());
    return PAGE;
  }

  /**
   * The user coupons of a user, newest first.
   *
   * @param coupon if the claim of that coupon is looked for; else empty
   * @param after of a further page
   */
  @PostMapping(value = "/console/customers", params = "user")
  String ofUser(
      @RequestParam String user,
      @RequestParam(defaultValue = "") String coupon,
      @RequestParam(defaultValue = "") String after,
      Model model) {
    var userId = read("The user id", user, UserId::new);
    if (!coupon.isBlank()) {
      return ofClaim(userId, CouponIds.parse(coupon.strip()), model);
    }
    var page =
        listUserCoupons.page(
            userId,
            null,
            after.isEmpty() ? null : read("after", after, UserCouponCursor::parse),
            MOST);
    return page("User coupons of that user", userId.value(), page.items(), page.next(), model);
  }

  /** A claim may have no user coupon yet, or never get one. */
  private String ofClaim(UserId user, CouponId coupon, Model model) {
    var claim = findClaim.find(coupon, user);
    if (claim instanceof FindClaim.Result.UnknownCoupon) {
      throw Problem.unknownCoupon();
    }
    List<UserCoupon> found = List.of();
    if (claim instanceof FindClaim.Result.Recorded(UserCoupon userCoupon)) {
      found = List.of(userCoupon);
    } else {
      var state = UserCouponJson.ofClaim(coupon, claim).map(UserCouponJson::state);
      model.addAttribute("claim", state.orElse(NO_CLAIM));
    }
    model.addAttribute("coupon", coupon.value());
    return page("The claim of that user for " + coupon, user.value(), found, null, model);
  }

  /** The user coupon of a code, as a customer shows it. */
  @PostMapping(
      value = "/console/customers",
      params = {"code", "!user"})
  String ofCode(@RequestParam String code, Model model) {
    var found = lookUpUserCoupons.byCode(code.strip()).map(List::of).orElse(List.of());
    return page("The user coupon of that code", "", found, null, model);
  }

  /** The user coupons that were taken for an order of a shop. */
  @PostMapping(
      value = "/console/customers",
      params = {"order", "!user", "!code"})
  String ofOrder(@RequestParam String shop, @RequestParam String order, Model model) {
    var found =
        findRedemptions
            .ofOrder(read("The shop", shop, ShopId::new), read("The order", order, OrderId::new))
            .stream()
            .flatMap(one -> lookUpUserCoupons.byId(one.recorded().id().userCouponId()).stream())
            .toList();
    return page("User coupons that were taken for that order", "", found, null, model);
  }

  private static <T> T read(String name, String text, Function<String, T> reader) {
    try {
      return reader.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw Problem.malformed(name + " is not valid: " + e.getMessage() + ".");
    }
  }

  @GetMapping("/console/user-coupons/{userCouponId}")
  String userCoupon(@PathVariable String userCouponId, Model model) {
    var id = UserCouponIds.parse(userCouponId);
    var found = lookUpUserCoupons.byId(id).orElseThrow(UserCouponIds::unknown);
    model.addAttribute("one", View.of(found));
    var changes = audits.ofUserCoupon(userCouponId, AUDIT_ENTRIES, null);
    var rows = new ArrayList<>(AuditRow.ofUserCoupon(changes.items()));
    if (changes.next() == null) {
      rows.add(AuditRow.ofClaim(found));
    }
    model.addAttribute("audit", rows);
    model.addAttribute("isCut", changes.next() != null);
    return "console/user-coupon";
  }

  /**
   * Revokes a user coupon.
   *
   * @param confirmation the id of its user, which the operator has typed
   */
  @PostMapping("/console/user-coupons/{userCouponId}/revocation")
  String revoke(
      @PathVariable String userCouponId,
      @RequestParam(defaultValue = "") String reason,
      @RequestParam(defaultValue = "") String confirmation,
      Caller caller,
      RedirectAttributes redirect) {
    var found =
        lookUpUserCoupons
            .byId(UserCouponIds.parse(userCouponId))
            .orElseThrow(UserCouponIds::unknown);
    if (!confirmation.strip().equals(found.userId().value())) {
      throw Problem.malformed("To confirm, type the id of the user.");
    }
    var revoked = revocations.revoke(userCouponId, new RevocationJson(reason.strip()), caller);
    redirect.addFlashAttribute(
        "done",
        revoked.slotWentBack()
            ? "It is revoked, and its slot can be claimed again."
            : "It is revoked.");
    return "redirect:/console/user-coupons/{userCouponId}";
  }
}
