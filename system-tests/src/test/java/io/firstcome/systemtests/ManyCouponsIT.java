package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.ConsoleVisitor;
import io.firstcome.systemtests.kit.FirstcomeUp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The console while 10,000 coupons can be claimed. */
@Tag("slow")
@Timeout(600)
class ManyCouponsIT {

  private static final int COUPONS = 10_000;
  private static final int PAGE = 25;

  /** More than one, since each may send a limited number of requests. */
  private static final int OPERATORS = 16;

  private static final Pattern ROW = Pattern.compile("<th scope=\"row\">");

  /** The list is renewed every two seconds, a live page every second. */
  private static final Duration RENEWED = Duration.ofSeconds(2);

  private static final int READINGS = 10;

  @Test
  void every_page_of_the_list_is_renewed_and_any_coupon_can_be_watched()
      throws IOException, InterruptedException, ExecutionException {
    try (var up = FirstcomeUp.in("many-coupons")) {
      var ids = define(up);
      var viewer = ConsoleVisitor.signedIn(up, "viewer");

      for (int skipped : List.of(0, COUPONS / 2, COUPONS - PAGE)) {
        var page = up.send(viewer.get("/console/coupons?rows=1&skipped=" + skipped));
        assertThat(rows(page)).isEqualTo(PAGE);
        assertWithin(
            RENEWED, () -> up.send(viewer.get("/console/coupons?rows=1&skipped=" + skipped)));
      }
      var found = up.send(viewer.get("/console/coupons?rows=1&text=" + ids.getLast()));
      assertThat(rows(found)).isPositive();
      assertThat(found.body()).contains(">%s<".formatted(ids.getLast()));
      for (var id : List.of(ids.getFirst(), ids.get(COUPONS / 2), ids.getLast())) {
        watch(up, viewer, id);
      }
    }
  }

  private static List<String> define(FirstcomeUp up)
      throws InterruptedException, ExecutionException {
    try (var threads = Executors.newFixedThreadPool(OPERATORS)) {
      List<Callable<String>> calls =
          IntStream.range(0, COUPONS)
              .<Callable<String>>mapToObj(i -> () -> define(up, "operator-" + i % OPERATORS))
              .toList();
      var ids = threads.invokeAll(calls);
      for (Future<String> id : ids) {
        id.get();
      }
      return ids.stream().map(Future::resultNow).toList();
    }
  }

  private static String define(FirstcomeUp up, String operator) {
    var coupon = aCoupon().withTotal(10);
    var defined = up.send(Call.define(coupon.json()).as(operator));
    assertThat(defined.status()).as(defined.body()).isEqualTo(201);
    return coupon.id();
  }

  private static long rows(Answer page) {
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    return ROW.matcher(page.body()).results().count();
  }

  private static void assertWithin(Duration limit, Runnable call) {
    long begun = System.nanoTime();
    call.run();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(limit);
  }

  /** Its stream has a reading a second, with the coupon. */
  private static void watch(FirstcomeUp up, ConsoleVisitor viewer, String couponId)
      throws IOException, InterruptedException {
    var events =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/console/coupons/%s/live/events"
                        .formatted(up.servicePort(), couponId)))
            .header("Cookie", viewer.cookies())
            .build();
    try (var http = HttpClient.newHttpClient()) {
      long begun = System.nanoTime();
      try (var lines = http.send(events, BodyHandlers.ofLines()).body()) {
        var readings = lines.filter(line -> line.startsWith("data: {")).limit(READINGS).toList();
        assertThat(readings)
            .hasSize(READINGS)
            .allMatch(reading -> reading.contains("\"couponId\":\"%s\"".formatted(couponId)));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun))
          .isLessThan(RENEWED.multipliedBy(READINGS));
      http.shutdownNow();
    }
  }
}
