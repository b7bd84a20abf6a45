package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.audit.ReadAudit;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.rest.request.UserCouponIds;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the audit trail: of a coupon, of a user coupon, and of operators. */
@RestController
@RequestMapping("/api/v1/admin")
public class AdminAuditController {

  private final ReadAudit readAudit;

  AdminAuditController(ReadAudit readAudit) {
    this.readAudit = readAudit;
  }

  /**
   * A page of entries, newest first.
   *
   * @param next the {@code after} of the next page; absent on the last page
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PageJson(List<AuditEntryJson> items, @Nullable String next) {

    /** The first {@code max} entries; a further one shows that there is a next page. */
    static PageJson of(List<AuditEntry.Kept> entries, int max) {
      var page = entries.subList(0, Math.min(max, entries.size()));
      return new PageJson(
          page.stream().map(AuditEntryJson::of).toList(),
          entries.size() > max ? page.getLast().id().toString() : null);
    }
  }

  @GetMapping("/coupons/{couponId}/audit")
  public PageJson ofCoupon(
      @PathVariable String couponId,
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    int max = PageLimit.parse(limit);
    return readAudit
        .ofCoupon(CouponIds.parse(couponId), after(after), max + 1)
        .map(entries -> PageJson.of(entries, max))
        .orElseThrow(Problem::unknownCoupon);
  }

  @GetMapping("/user-coupons/{userCouponId}/audit")
  public PageJson ofUserCoupon(
      @PathVariable String userCouponId,
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    int max = PageLimit.parse(limit);
    return readAudit
        .ofUserCoupon(UserCouponIds.parse(userCouponId), after(after), max + 1)
        .map(entries -> PageJson.of(entries, max))
        .orElseThrow(UserCouponIds::unknown);
  }

  @GetMapping("/audit")
  public PageJson ofOperators(
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    int max = PageLimit.parse(limit);
    return PageJson.of(readAudit.ofOperators(after(after), max + 1), max);
  }

  private static @Nullable AuditEntryId after(@Nullable String text) {
    try {
      return text == null ? null : new AuditEntryId(WholeNumber.parse(text));
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("after must be the value of next of a page.");
    }
  }
}
