package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.load.LongReads;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.admin.AdminAuditController;
import io.firstcome.bootstrap.rest.admin.AdminCouponController;
import io.firstcome.bootstrap.rest.admin.DefinitionReader;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of coupons, and the page of one coupon with what an operator can do to it. */
@Controller
class CouponPages {

  private static final int PAGE = 25;
  private static final int MOST_SKIPPED = 100_000;
  private static final int MOST_TEXT = 100;
  private static final String AUDIT_ENTRIES = "20";

  private final ListCoupons listCoupons;
  private final ReadCoupon readCoupon;
  private final LongReads longReads;
  private final AdminAuditController audits;
  private final AdminCouponController changes;

  CouponPages(
      ListCoupons listCoupons,
      ReadCoupon readCoupon,
      LongReads longReads,
      AdminAuditController audits,
      AdminCouponController changes) {
    this.listCoupons = listCoupons;
    this.readCoupon = readCoupon;
    this.longReads = longReads;
    this.audits = audits;
    this.changes = changes;
  }

  /** A section of the list. */
  record Section(String name, String title) {

    static Section of(CouponSection section) {
      return new Section(section.name().toLowerCase(Locale.ROOT), title(section));
    }

    private static String title(CouponSection section) {
      return switch (section) {
        case OPEN -> "Open";
        case SCHEDULED -> "Scheduled";
        case DRAFT -> "Drafts";
        case ENDED -> "Ended";
        case ARCHIVED -> "Archived";
      };
    }
  }

  /** The list; only its rows, if a script asks for them. */
  @GetMapping("/console/coupons")
  String list(
      @RequestParam(defaultValue = "open") String section,
      @RequestParam(defaultValue = "") String text,
      @RequestParam(defaultValue = "0") String skipped,
      @RequestParam(required = false) @Nullable String rows,
      Model model) {
    var chosen = section(section);
    int skip = number(skipped);
    var searched = text.strip();
    if (searched.length() > MOST_TEXT || searched.chars().anyMatch(Character::isISOControl)) {
      throw Problem.malformed(
          "The text to look for has at most %d characters, and no control characters."
              .formatted(MOST_TEXT));
    }
    var page = listCoupons.section(chosen, searched, skip, PAGE);
    model.addAttribute("sections", Arrays.stream(CouponSection.values()).map(Section::of).toList());
    model.addAttribute("section", Section.of(chosen));
    model.addAttribute("text", searched);
    model.addAttribute("skipped", skip);
    model.addAttribute("next", page.hasMore() ? skip + PAGE : null);
    model.addAttribute("previous", skip > 0 ? Math.max(0, skip - PAGE) : null);
    model.addAttribute("coupons", page.items().stream().map(CouponJson::view).toList());
    return rows == null ? "console/coupons" : "console/coupons :: rows";
  }

  private static CouponSection section(String name) {
    return Arrays.stream(CouponSection.values())
        .filter(section -> Section.of(section).name().equals(name))
        .findFirst()
        .orElseThrow(() -> Problem.malformed("There is no such section."));
  }

  private static int number(String text) {
    try {
      long number = WholeNumber.parse(text);
      if (number <= MOST_SKIPPED) {
        return Math.toIntExact(number);
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number out of range.
    }
    throw Problem.malformed("skipped must be a number up to " + MOST_SKIPPED + ".");
  }

  /** How many user coupons have a state. */
  record Count(String state, long number) {}

  /** Something an operator can do to the coupon now. */
  record Action(String name, String title, String consequence, boolean isFinal) {}

  @GetMapping("/console/coupons/{couponId}")
  String coupon(@PathVariable String couponId, Model model) {
    var id = CouponIds.parse(couponId);
    var view = readCoupon.readAny(id).orElseThrow(Problem::unknownCoupon);
    var coupon = view.coupon();
    model.addAttribute("coupon", CouponJson.view(view));
    model.addAttribute("stock", coupon.stockBackend().name());
    model.addAttribute("discount", discount(coupon.definition()));
    model.addAttribute("actions", actions(coupon));
    model.addAttribute("canRaise", coupon.isPublished() && coupon.hasStock());
    var audit = audits.ofCoupon(couponId, AUDIT_ENTRIES, null);
    model.addAttribute("audit", AuditRow.ofCoupon(audit.items()));
    model.addAttribute("hasMoreAudit", audit.next() != null);
    return "console/coupon";
  }

  /** A part of the page: counting millions of rows takes seconds, and the buttons do not wait. */
  @GetMapping("/console/coupons/{couponId}/counts")
  String counts(@PathVariable String couponId, Caller caller, Model model) {
    var id = CouponIds.parse(couponId);
    try {
      var counts =
          longReads
              .call(caller.userId(), () -> readCoupon.counts(id))
              .orElseThrow(Problem::unknownCoupon);
      model.addAttribute(
          "counts",
          Arrays.stream(UserCouponState.values())
              .map(state -> new Count(state.name(), counts.getOrDefault(state, 0L)))
              .toList());
    } catch (Problem problem) {
      if (problem.body().getStatus() == HttpStatus.NOT_FOUND.value()) {
        throw problem;
      }
      // Others are being counted.
      model.addAttribute("counts", List.of());
    }
    return "console/counts";
  }

  private static String discount(CouponDefinition definition) {
    var minimum = definition.minimumOrder();
    var from = minimum == null ? "" : ", for orders from " + text(minimum);
    return switch (definition.discount()) {
          case Discount.Amount(Money money) -> text(money);
          case Discount.Percent percent -> {
            var cap = percent.cap();
            var basisPoints = BigDecimal.valueOf(percent.basisPoints(), 2).stripTrailingZeros();
            yield basisPoints.toPlainString()
                + " %"
                + (cap == null ? "" : ", at most " + text(cap));
          }
        }
        + from;
  }

  private static String text(Money money) {
    int decimals = Math.max(0, money.currency().getDefaultFractionDigits());
    return BigDecimal.valueOf(money.minorUnits(), decimals).toPlainString()
        + " "
        + money.currency().getCurrencyCode();
  }

  private static List<Action> actions(Coupon coupon) {
    var actions = new ArrayList<Action>();
    switch (coupon.status()) {
      case DRAFT ->
          actions.add(
              new Action("publish", "Publish", "Customers see it, and can claim it.", false));
      case ACTIVE -> actions.add(new Action("pause", "Pause", "Claims are refused.", false));
      case PAUSED -> actions.add(new Action("resume", "Resume", "Claims are accepted.", false));
      case CLOSED ->
          actions.add(new Action("archive", "Archive", "Its stock is removed, for good.", true));
      case ARCHIVED -> {}
    }
    switch (coupon.status()) {
      case ACTIVE, PAUSED ->
          actions.add(new Action("close", "Close", "Claims are refused, for good.", true));
      case DRAFT, CLOSED, ARCHIVED -> {}
    }
    return actions;
  }

  /**
   * Does what a button of the coupon's page says.
   *
   * @param revision of the coupon that the page has shown
   * @param confirmation the id of the coupon, which the operator has typed
   */
  @PostMapping("/console/coupons/{couponId}/{action}")
  String change(
      @PathVariable String couponId,
      @PathVariable String action,
      @RequestParam String revision,
      @RequestParam(defaultValue = "") String confirmation,
      @RequestParam(defaultValue = "") String totalQuantity,
      Caller caller,
      RedirectAttributes redirect) {
    if (!confirmation.strip().equals(couponId)) {
      throw Problem.malformed("To confirm, type the id of the coupon: " + couponId + ".");
    }
    int shown = revision(revision);
    var changed =
        switch (action) {
          case "publish" -> changes.change(couponId, shown, Coupon::publish, caller);
          case "pause" -> changes.change(couponId, shown, Coupon::pause, caller);
          case "resume" -> changes.change(couponId, shown, Coupon::resume, caller);
          case "close" -> changes.change(couponId, shown, Coupon::close, caller);
          case "archive" -> {
            requireRevision(couponId, shown);
            yield changes.archive(couponId, caller);
          }
          case "quantity" -> {
            int wanted = DefinitionReader.totalQuantity(quantity(totalQuantity));
            yield changes.change(couponId, shown, coupon -> coupon.raiseTo(wanted), caller);
          }
          default -> throw Problem.of(ProblemType.NOT_FOUND, "There is no such action.");
        };
    redirect.addFlashAttribute("done", "It is in revision %d now.".formatted(changed.revision()));
    return "redirect:/console/coupons/{couponId}";
  }

  /** Archiving itself does not compare revisions, but the page may be an old one. */
  private void requireRevision(String couponId, int shown) {
    var now =
        readCoupon.readAny(CouponIds.parse(couponId)).orElseThrow(Problem::unknownCoupon).coupon();
    if (now.revision() != shown) {
      throw Problem.overtaken("coupon", now.revision());
    }
  }

  private static int revision(String text) {
    try {
      return Math.toIntExact(WholeNumber.parse(text));
    } catch (NumberFormatException | ArithmeticException e) {
      throw Problem.malformed("revision must be a number.");
    }
  }

  private static @Nullable Integer quantity(String text) {
    try {
      return Math.toIntExact(WholeNumber.parse(text.strip()));
    } catch (NumberFormatException | ArithmeticException e) {
      return null;
    }
  }
}
