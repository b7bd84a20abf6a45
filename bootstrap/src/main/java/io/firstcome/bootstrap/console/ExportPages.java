package io.firstcome.bootstrap.console;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.usercoupon.LookUpUserCoupons;
import io.firstcome.bootstrap.connector.Downloads;
import io.firstcome.bootstrap.console.Exports.Export;
import io.firstcome.bootstrap.load.Permit;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.curve.CurveController;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.usercoupon.UserCoupon;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * Files with the curve of a coupon and with its user coupons, in CSV.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4180">RFC 4180</a>
 */
@Controller
class ExportPages {

  private static final int PAGE = 5_000;

  /** Of this instance: each reads the database and holds a connection for as long as it takes. */
  private static final int MOST = 2;

  private static final Duration RETRY = Duration.ofSeconds(30);

  /** Spreadsheets take a text that begins with one of them for a formula. */
  private static final String FORMULAS = "=+-@";

  private final ReadCoupon readCoupon;
  private final LookUpUserCoupons lookUpUserCoupons;
  private final CurveController curves;
  private final Downloads downloads;
  private final Exports exports;
  private final Semaphore permits = new Semaphore(MOST);

  ExportPages(
      ReadCoupon readCoupon,
      LookUpUserCoupons lookUpUserCoupons,
      CurveController curves,
      Downloads downloads,
      Exports exports) {
    this.readCoupon = readCoupon;
    this.lookUpUserCoupons = lookUpUserCoupons;
    this.curves = curves;
    this.downloads = downloads;
    this.exports = exports;
  }

  @GetMapping("/console/coupons/{couponId}/curve.csv")
  void curve(
      @PathVariable String couponId,
      @RequestParam(required = false) @Nullable String bucket,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    var curve = curves.curve(couponId, bucket, from, to);
    Permit.release(request);
    begin(response, CouponIds.parse(couponId), "curve");
    try (var file = file(response)) {
      file.writeRecord(
          "at", "issued", "accepted", "alreadyClaimed", "soldOut", "refused", "unavailable");
      curve.points().forEach(point -> write(point, file));
    }
  }

  private static void write(CurveController.PointJson point, CsvWriter file) {
    file.writeRecord(
        point.at(),
        Long.toString(point.issued()),
        Long.toString(point.accepted()),
        Long.toString(point.alreadyClaimed()),
        Long.toString(point.soldOut()),
        Long.toString(point.refused()),
        Long.toString(point.unavailable()));
  }

  /**
   * All user coupons, page by page, so that millions need no memory. Without their codes, which
   * only their owners may see.
   */
  @GetMapping("/console/coupons/{couponId}/issued.csv")
  void issued(
      @PathVariable String couponId,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    var id = CouponIds.parse(couponId);
    if (readCoupon.readAny(id).isEmpty()) {
      throw Problem.unknownCoupon();
    }
    if (!permits.tryAcquire()) {
      throw Problem.overloaded(RETRY);
    }
    try (var _ = downloads.begin(request.getServletConnection());
        var export = exports.begin(caller.user(), id)) {
      // The permit of exports is enough: counting takes a second for a million.
      Permit.release(request);
      export.expect(numberOfUserCoupons(id));
      var page = lookUpUserCoupons.ofCoupon(id, null, PAGE);
      begin(response, id, "issued");
      var file = file(response);
      file.writeRecord(
          "slot",
          "userId",
          "userCouponId",
          "state",
          "issuedAt",
          "expiresAt",
          "orderId",
          "shopId",
          "discountMinorUnits",
          "currency",
          "usedAt",
          "reason");
      write(page, file, export);
      while (page.next() != null) {
        page = next(id, page.next());
        write(page, file, export);
      }
      // Only now: an answer that is closed looks complete.
      file.close();
      export.complete();
    } catch (UncheckedIOException e) {
      // The client does not read any more, which is no error of this service.
      throw e.getCause();
    } finally {
      permits.release();
    }
  }

  private long numberOfUserCoupons(CouponId couponId) {
    var counts = readCoupon.readWithCounts(couponId).orElseThrow(Problem::unknownCoupon).counts();
    return counts.values().stream().mapToLong(number -> number).sum();
  }

  /**
   * A further page.
   *
   * @throws IOException if it cannot be read: then the connection ends before the file. Any other
   *     exception would be answered with a problem, behind the lines that were sent
   */
  private LookUpUserCoupons.Page next(CouponId couponId, @Nullable SlotOwner after)
      throws IOException {
    try {
      return lookUpUserCoupons.ofCoupon(couponId, after, PAGE);
    } catch (RuntimeException e) {
      throw new IOException("the file is not complete", e);
    }
  }

  private static void write(LookUpUserCoupons.Page page, CsvWriter file, Export export) {
    for (var userCoupon : page.items()) {
      write(userCoupon, file);
      export.countOne();
    }
  }

  private static void write(UserCoupon userCoupon, CsvWriter file) {
    var redemption = userCoupon.currentRedemption();
    var shop = redemption == null ? null : redemption.shop();
    file.writeRecord(
        Integer.toString(userCoupon.slot().number()),
        withoutFormula(userCoupon.userId().value()),
        userCoupon.id().toString(),
        userCoupon.state().name(),
        userCoupon.issuedAt().toString(),
        userCoupon.ownership().expiresAt().toString(),
        redemption == null ? "" : withoutFormula(redemption.orderId().value()),
        shop == null ? "" : withoutFormula(shop.value()),
        redemption == null ? "" : Long.toString(redemption.discount().minorUnits()),
        redemption == null ? "" : redemption.discount().currency().getCurrencyCode(),
        userCoupon instanceof UserCoupon.Used used ? used.usedAt().toString() : "",
        userCoupon instanceof UserCoupon.Revoked revoked ? withoutFormula(revoked.reason()) : "");
  }

  /** With an apostrophe before it if a spreadsheet would take it for a formula. */
  private static String withoutFormula(String text) {
    return FORMULAS.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
  }

  private static void begin(HttpServletResponse response, CouponId couponId, String what) {
    response.setContentType("text/csv");
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    response.setHeader(
        HttpHeaders.CONTENT_DISPOSITION,
        ContentDisposition.attachment()
            .filename("%s-%s.csv".formatted(couponId, what))
            .build()
            .toString());
  }

  private static CsvWriter file(HttpServletResponse response) throws IOException {
    return CsvWriter.builder()
        .build(new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8));
  }
}
