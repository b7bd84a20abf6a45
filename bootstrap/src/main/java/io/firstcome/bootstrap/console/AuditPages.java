package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.rest.admin.AdminAuditController;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** All changes of a coupon and of its user coupons, and all changes by operators, in pages. */
@Controller
class AuditPages {

  private static final String PAGE = "console/audit";
  private static final String ENTRIES = "50";

  private final AdminAuditController audits;

  AuditPages(AdminAuditController audits) {
    this.audits = audits;
  }

  /**
   * Changes of a coupon, newest first.
   *
   * @param after of a further page
   */
  @GetMapping("/console/coupons/{couponId}/audit")
  String ofCoupon(
      @PathVariable String couponId,
      @RequestParam(required = false) @Nullable String after,
      Model model) {
    var page = audits.ofCoupon(couponId, ENTRIES, after);
    model.addAttribute("couponId", couponId);
    model.addAttribute("audit", AuditRow.ofCoupon(page.items()));
    model.addAttribute("next", page.next());
    return PAGE;
  }

  /**
   * What operators did, newest first.
   *
   * @param after of a further page
   */
  @GetMapping("/console/audit")
  String ofOperators(@RequestParam(required = false) @Nullable String after, Model model) {
    var page = audits.ofOperators(ENTRIES, after);
    model.addAttribute("couponId", null);
    model.addAttribute("audit", AuditRow.ofAll(page.items()));
    model.addAttribute("next", page.next());
    return PAGE;
  }
}
