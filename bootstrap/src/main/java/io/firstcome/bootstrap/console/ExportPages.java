package io.firstcome.bootstrap.console;

import de.siegmar.fastcsv.writer.CsvWriter;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.usercoupon.LookUpUserCoupons;
import io.firstcome.bootstrap.connector.Downloads;
import io.firstcome.bootstrap.console.Exports.Export;
import io.firstcome.bootstrap.load.LongReads;
import io.firstcome.bootstrap.load.Permit;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.curve.CurveController;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.stream.StreamLifecycle;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.usercoupon.UserCoupon;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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

  private static final Logger LOG = LoggerFactory.getLogger(ExportPages.class);

  private static final int PAGE = 5_000;

  /**
   * Where spreadsheets see the begin of a formula: at the begin of a text, and after a semicolon,
   * which separates cells in many countries. White space and quotes before it do not count, and
   * characters of full width are as good.
   *
   * @see <a href="https://owasp.org/www-community/attacks/CSV_Injection">CSV injection</a>
   */
  private static final Pattern FORMULA =
      Pattern.compile("(^|;)(?=[\"'\\s\\p{Z}]*[=+@\\-\\uFF1D\\uFF0B\\uFF20\\uFF0D])");

  private final ReadCoupon readCoupon;
  private final LookUpUserCoupons lookUpUserCoupons;
  private final CurveController curves;
  private final Downloads downloads;
  private final Exports exports;
  private final LongReads longReads;
  private final StreamLifecycle lifecycle;

  ExportPages(
      ReadCoupon readCoupon,
      LookUpUserCoupons lookUpUserCoupons,
      CurveController curves,
      Downloads downloads,
      Exports exports,
      LongReads longReads,
      StreamLifecycle lifecycle) {
    this.readCoupon = readCoupon;
    this.lookUpUserCoupons = lookUpUserCoupons;
    this.curves = curves;
    this.downloads = downloads;
    this.exports = exports;
    this.longReads = longReads;
    this.lifecycle = lifecycle;
  }

  @GetMapping("/console/coupons/{couponId}/curve.csv")
  void curve(
      @PathVariable String couponId,
      @RequestParam(required = false) @Nullable String bucket,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    var curve = curves.curve(couponId, bucket, from, to, caller);
    Permit.release(request);
    begin(response, CouponIds.parse(couponId), "curve");
    try (var file = file(response)) {
      file.writeRecord(
          "at",
          "issued",
          "accepted",
          "alreadyClaimed",
          "soldOut",
          "refused",
          "recovering",
          "overloaded",
          "outcomeUnknown");
      curve.points().forEach(point -> write(point, file));
    } catch (UncheckedIOException e) {
      // The client does not read any more, which is no error of this service.
      throw e.getCause();
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
        Long.toString(point.recovering()),
        Long.toString(point.overloaded()),
        Long.toString(point.outcomeUnknown()));
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
    if (request.getProtocol().equals("HTTP/1.0")) {
      throw Problem.malformed(
          "The file is sent over HTTP/1.1 or newer only: with HTTP/1.0 an incomplete file looks"
              + " complete. The proxy may have to be set, as proxy_http_version 1.1 of nginx.");
    }
    if (request.getMethod().equals("HEAD")) {
      begin(response, id, "issued");
      return;
    }
    try (var _ = downloads.begin(request.getServletConnection());
        var export = exports.begin(caller.user(), id)) {
      // The limit of exports is enough: counting takes a second for a million.
      Permit.release(request);
      export.expect(numberOfUserCoupons(id, caller));
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
    }
  }

  private long numberOfUserCoupons(CouponId couponId, Caller caller) {
    var counts =
        longReads
            .call(caller.userId(), () -> readCoupon.counts(couponId))
            .orElseThrow(Problem::unknownCoupon);
    return counts.values().stream().mapToLong(number -> number).sum();
  }

  /**
   * A further page.
   *
   * @throws IOException if it cannot be read, or the instance is being stopped: then the connection
   *     ends before the file does. It has no cause: Spring would call the handler of the cause,
   *     which would try to answer with a page after the lines that were sent
   */
  private LookUpUserCoupons.Page next(CouponId couponId, @Nullable SlotOwner after)
      throws IOException {
    if (!lifecycle.isRunning()) {
      throw new IOException("the instance is being stopped");
    }
    try {
      return lookUpUserCoupons.ofCoupon(couponId, after, PAGE);
    } catch (RuntimeException e) {
      LOG.warn("the file of user coupons of {} is not complete", couponId, e);
      throw new IOException("the file is not complete");
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

  /** With an apostrophe before each part that a spreadsheet would take for a formula. */
  static String withoutFormula(String text) {
    return FORMULA.matcher(text).replaceAll("$1'");
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
