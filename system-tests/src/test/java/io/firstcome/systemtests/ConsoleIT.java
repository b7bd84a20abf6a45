package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.ConsoleVisitor;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.ManyHolders;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.SlowDownload;
import io.firstcome.systemtests.kit.WebhookReceiver;
import io.firstcome.systemtests.kit.Webhooks;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the console answers to requests that no browser sends. */
@ExtendWith(QuietLogs.class)
class ConsoleIT {

  /** Their file is larger than what the buffers of a connection hold. */
  private static final int HOLDERS = 30_000;

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final World world = World.get();

  private static Call form(String content) {
    return form("/console/login", content);
  }

  private static Call form(String path, String content) {
    return ConsoleVisitor.form(path, content);
  }

  private int status(Call call) {
    return world.send(call).status();
  }

  @Test
  void headers_of_a_gateway_do_not_sign_anybody_in() {
    Answer answer = world.send(Call.get("/console/coupons").operator());

    assertThat(answer.status()).isEqualTo(302);
    assertThat(answer.header("location")).endsWith("/console/login");
    assertThat(answer.header("set-cookie")).doesNotContain("firstcome-console=");
  }

  @Test
  void a_form_without_its_token_or_that_cannot_be_read_is_refused() {
    assertThat(status(form("username=operator&password=local"))).isEqualTo(403);
    // Of the length of a token, but no text once its mask is removed.
    var bytes = new byte[72];
    Arrays.fill(bytes, 36, 72, (byte) -1);
    var forged = Base64.getUrlEncoder().encodeToString(bytes);
    var visitor = new ConsoleVisitor(ConsoleVisitor.of(world).cookies(), forged);
    assertThat(status(visitor.post("/console/login", "username=operator&password=local")))
        .isEqualTo(403);
    assertThat(status(form("%zz=1"))).isEqualTo(400);
    assertThat(status(form("/c%6Fnsole/login", "%zz=1"))).isEqualTo(400);
    assertThat(status(form("a=" + "a".repeat(70_000)))).isEqualTo(413);
    assertThat(status(form("/console", "a=" + "a".repeat(70_000)))).isEqualTo(413);
    assertThat(status(Call.bare("PUT", "/console/coupons").content(new byte[70_000])))
        .isEqualTo(413);
    assertThat(status(Call.bare("POST", "/console/coupons/ANY/pause").operator())).isEqualTo(403);
  }

  @Test
  void an_address_can_try_twenty_passwords_of_a_name_a_minute_however_the_path_is_written() {
    var visitor = ConsoleVisitor.of(world);
    var paths = List.of("/console/login", "/console/%6Cogin");
    long begun = System.nanoTime();
    int tried = 0;
    // What is trimmed before the name is compared makes no other name of it.
    var names = List.of("nobody", "nobody%01", "%20nobody");
    while (tried < 60
        && status(attempt(visitor, paths.get(tried % 2), names.get(tried % 3))) == 302) {
      tried++;
    }
    // Every three seconds one more is allowed, and a slow machine needs many.
    long allowed = 20 + Duration.ofNanos(System.nanoTime() - begun).toSeconds() / 3 + 1;

    assertThat(tried).isBetween(20, Math.toIntExact(allowed));
    assertThat(status(attempt(visitor, "/console/login", "somebody"))).isEqualTo(302);
  }

  @Test
  void a_query_or_cookie_that_cannot_be_read_is_no_error() {
    assertThat(status(Call.bare("GET", "/console/login?x=%ff"))).isEqualTo(400);
    // "/%zz" and "http://a:b:c/": what a page of a sibling domain can set.
    for (var saved : List.of("LyV6eg==", "aHR0cDovL2E6YjpjLw==", "%")) {
      var cookie = "Cookie: REDIRECT_URI=" + saved;
      assertThat(status(Call.bare("GET", "/console/login").header(cookie))).isEqualTo(200);
      assertThat(status(Call.bare("GET", "/console/ready").header(cookie))).isEqualTo(302);
    }
    // "/console/ready", a line feed and a header.
    var visitor = ConsoleVisitor.of(world);
    var hostile = visitor.cookies() + "; REDIRECT_URI=L2NvbnNvbGUvcmVhZHkKWC1FdmlsOiAx";
    var answer =
        world.send(
            new ConsoleVisitor(hostile, visitor.token())
                .post("/console/login", "username=viewer&password=local"));
    assertThat(answer.status()).isEqualTo(302);
    assertThat(answer.header("location")).endsWith("/console");
  }

  private static Call attempt(ConsoleVisitor visitor, String path, String name) {
    return visitor
        .post(path, "username=" + name + "&password=wrong")
        .header("X-Forwarded-For: 198.51.100.27");
  }

  @Test
  void attempts_without_the_token_of_the_form_do_not_count() {
    for (int i = 0; i < 30; i++) {
      var attempt = form("username=carol&password=x").header("X-Forwarded-For: 198.51.100.28");
      assertThat(status(attempt)).isEqualTo(403);
    }

    var visitor = ConsoleVisitor.of(world);
    var attempt =
        visitor
            .post("/console/login", "username=carol&password=x")
            .header("X-Forwarded-For: 198.51.100.28");
    assertThat(status(attempt)).isEqualTo(302);
  }

  @Test
  void a_page_of_another_origin_changes_nothing() {
    var operator = ConsoleVisitor.signedIn(world, "operator");

    var check = operator.post("/console/check", "couponId=A");
    assertThat(status(check)).isEqualTo(200);
    assertThat(status(check.header("Sec-Fetch-Site: same-site"))).isEqualTo(403);
    assertThat(status(check.header("Sec-Fetch-Site: cross-site"))).isEqualTo(403);
    assertThat(status(check.header("Origin: https://evil.example"))).isEqualTo(403);
    assertThat(status(check.header("Origin: null"))).isEqualTo(403);
    assertThat(status(check.header("Sec-Fetch-Site: same-origin"))).isEqualTo(200);
  }

  @Test
  void after_signing_in_nobody_is_sent_to_a_part_of_a_page() {
    var page = Call.bare("GET", "/console/ready");
    assertThat(world.send(page.header("Accept: text/html")).header("set-cookie"))
        .contains("REDIRECT_URI=");
    for (var other :
        List.of(
            page.header("Accept: text/event-stream"),
            page.header("Accept: text/html").header("HX-Request: true"),
            form("/console/check", "").header("Accept: text/html"))) {
      var answer = world.send(other);
      assertThat(answer.headers().getOrDefault("set-cookie", "")).doesNotContain("REDIRECT_URI");
    }
  }

  @Test
  void after_signing_in_nobody_leaves_the_console_whatever_the_cookie_says() {
    for (var forged :
        List.of(
            "https://evil.example/console/ready",
            "https://evil.example//evil.example",
            "//evil.example",
            "https://evil.example",
            "javascript:alert(1)")) {
      var visitor = ConsoleVisitor.of(world);
      var cookie = Base64.getEncoder().encodeToString(forged.getBytes(StandardCharsets.UTF_8));
      var answer =
          world.send(
              new ConsoleVisitor(visitor.cookies() + "; REDIRECT_URI=" + cookie, visitor.token())
                  .post("/console/login", "username=viewer&password=local"));
      assertThat(answer.header("location")).as(forged).matches("/console(/ready)?");
    }
  }

  @Test
  void a_number_with_a_large_exponent_is_refused_before_it_is_computed() {
    var operator = ConsoleVisitor.signedIn(world, "operator");

    var answer =
        world.send(
            operator.post("/console/check", "discount=AMOUNT&currency=EUR&amountOff=1e600000000"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("not a number with at most 2 decimals");
  }

  @Test
  void a_webhook_is_added_and_changed_with_the_words_of_the_api_and_its_secret_is_shown_once() {
    var operator = ConsoleVisitor.signedIn(world, "operator");
    var refused = world.send(operator.post("/console/webhooks", "url=https%3A%2F%2F10.0.0.1%2F"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).contains("url names a host whose address is not allowed");

    var form = operator.post("/console/webhooks", "url=http%3A%2F%2F127.0.0.1%3A9%2Fhooks");
    var added = world.send(form);
    assertThat(added.status()).isEqualTo(302);
    var page = added.header("location");
    assertThat(world.send(operator.get(page)).body()).contains("whsec_", "127.0.0.1:9/hooks");
    assertThat(world.send(operator.get(page)).body()).doesNotContain("whsec_");
    assertThat(status(form)).as("a double click").isEqualTo(409);

    var id = page.substring(page.lastIndexOf('/') + 1);
    var confirmed = "&confirmation=" + id;
    assertThat(status(operator.post(page + "/disable", "revision=1&confirmation=no")))
        .isEqualTo(400);
    assertThat(status(operator.post(page + "/disable", "revision=1" + confirmed))).isEqualTo(302);
    assertThat(status(operator.post(page + "/secret", "revision=1" + confirmed))).isEqualTo(412);
    assertThat(status(operator.post(page + "/test", ""))).isEqualTo(409);
    var viewer = ConsoleVisitor.signedIn(world, "viewer");
    assertThat(world.send(viewer.get(page)).body()).contains("disabled");
    assertThat(status(viewer.post(page + "/enable", "revision=2"))).isEqualTo(403);
    assertThat(status(operator.post(page + "/delete", "revision=2" + confirmed))).isEqualTo(302);
    assertThat(status(operator.get(page))).isEqualTo(404);
  }

  @Test
  void a_delivery_that_was_given_up_is_attempted_again_by_an_operator() throws SQLException {
    var status = new AtomicInteger(500);
    var webhooks = new Webhooks(world::send);
    try (var receiver = WebhookReceiver.answering(_ -> status.get())) {
      long id = Webhooks.id(webhooks.add(receiver.url()));
      var page = "/console/webhooks/" + id;
      var operator = ConsoleVisitor.signedIn(world, "operator");
      assertThat(status(operator.post(page + "/test", ""))).isEqualTo(302);
      Await.until(
          LIMIT, "a failed attempt", () -> world.send(operator.get(page)).body().contains(">500<"));
      var delivery = giveUp(id);
      status.set(204);

      var replay = page + "/deliveries/" + delivery + "/replay";
      assertThat(world.send(operator.get(page)).body()).contains("given up", replay);
      var viewer = ConsoleVisitor.signedIn(world, "viewer");
      assertThat(world.send(viewer.get(page)).body()).contains("given up").doesNotContain(replay);
      assertThat(status(viewer.post(replay, ""))).isEqualTo(403);
      assertThat(status(operator.post(replay, ""))).isEqualTo(302);
      Await.until(LIMIT, "the delivery", () -> !receiver.taken().isEmpty());
      assertThat(status(operator.post(replay, ""))).as("no longer given up").isEqualTo(409);
    } finally {
      webhooks.deleteAll();
    }
  }

  /** As after a day of failures; returns the number of the delivery. */
  private long giveUp(long webhookId) throws SQLException {
    var update =
        "UPDATE webhook_delivery SET state = 'GIVEN_UP' WHERE webhook_id = %d RETURNING delivery_id"
            .formatted(webhookId);
    try (var connection = world.postgres().connect();
        var rows = connection.createStatement().executeQuery(update)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  @Test
  void what_is_not_there_or_not_complete_is_answered_with_a_page() {
    var operator = ConsoleVisitor.signedIn(world, "operator");

    for (var path :
        List.of(
            "/console/nothing",
            "/console/check",
            "/console/coupons/UNKNOWN/pause",
            "/console/coupons/UNKNOWN/live/events",
            "/console/coupons/UNKNOWN/issued.csv",
            "/console/user-coupons/UNKNOWN-1")) {
      var answer = world.send(operator.get(path));
      assertThat(answer.status()).as(path).isEqualTo(404);
      assertThat(answer.header("content-type")).as(path).startsWith("text/html");
    }
    for (var call :
        List.of(
            operator.get("/console/coupons?text=%00"),
            operator.get("/console/coupons?skipped=many"),
            operator.post("/console/coupons/UNKNOWN/pause", "confirmation=UNKNOWN"),
            operator.post("/console/customers", "user=a%20b"))) {
      var answer = world.send(call);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.header("content-type")).startsWith("text/html");
    }
  }

  /** Begins a stream, which stays open, and returns the status of its answer. */
  private int stream(HttpClient http, String path, String cookies) {
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d%s".formatted(world.servicePort(), path)))
            .header("Cookie", cookies)
            .build();
    return http.sendAsync(request, BodyHandlers.ofInputStream()).join().statusCode();
  }

  @Test
  void one_operator_cannot_have_all_streams_and_a_request_for_headers_begins_none() {
    var id = world.define(CouponRequests.aCoupon());
    var operator = ConsoleVisitor.signedIn(world, "operator");
    var events = "/console/coupons/" + id + "/live/events";
    for (int i = 0; i < 10; i++) {
      var head = Call.bare("HEAD", events).header("Cookie: " + operator.cookies());
      assertThat(status(head)).isEqualTo(200);
    }
    try (var http = HttpClient.newHttpClient()) {
      var statuses = new ArrayList<Integer>();
      for (int i = 0; i < 7; i++) {
        statuses.add(stream(http, events, operator.cookies()));
      }
      assertThat(statuses.subList(0, 6)).containsOnly(200);
      assertThat(statuses.get(6)).isEqualTo(429);
      http.shutdownNow();
    }
  }

  @Test
  void a_visitor_gets_no_session() {
    Answer answer = world.send(Call.bare("GET", "/console/login"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("set-cookie")).startsWith("firstcome-console-csrf=");
    assertThat(answer.header("content-security-policy")).contains("script-src 'self'");
  }

  @Test
  void a_file_that_does_not_exist_is_not_found() {
    assertThat(status(Call.bare("GET", "/console/assets/nothing.js"))).isEqualTo(404);
    assertThat(status(Call.bare("GET", "/console/assets/console.js"))).isEqualTo(200);
  }

  @Test
  void a_search_for_customers_with_two_questions_answers_the_first_one() {
    var viewer = ConsoleVisitor.signedIn(world, "viewer");

    var answer = world.send(viewer.post("/console/customers", "user=ann&code=x&order=1&shop=s"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("User coupons of that user");
  }

  @Test
  void the_claim_of_a_user_for_one_coupon_is_found_also_without_a_user_coupon()
      throws SQLException {
    var id = world.define(CouponRequests.aCoupon());
    var issued = world.send(Call.claim(id).as("ann").prefer("wait=10"));
    assertThat(issued.status()).as(issued.body()).isEqualTo(201);
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO rejected_claim VALUES ('%s', 'bob', 'NO_SLOT_LEFT', now())".formatted(id));
    }
    var viewer = ConsoleVisitor.signedIn(world, "viewer");

    assertThat(claim(viewer, "ann", id))
        .contains("The claim of that user", issued.text("userCouponId"));
    assertThat(claim(viewer, "bob", id)).contains("no slot was left. That is final");
    assertThat(claim(viewer, "carol", id)).contains("There is none.");
    var unknown = world.send(viewer.post("/console/customers", "user=ann&coupon=UNKNOWN"));
    assertThat(unknown.status()).isEqualTo(404);
  }

  private String claim(ConsoleVisitor visitor, String user, String coupon) {
    var question = "user=%s&coupon=%s&after=".formatted(user, coupon);
    return world.send(visitor.post("/console/customers", question)).body();
  }

  @Test
  void a_file_is_not_sent_where_an_incomplete_one_looks_complete_or_to_another_site()
      throws IOException {
    var id = world.define(CouponRequests.aCoupon());
    var viewer = ConsoleVisitor.signedIn(world, "viewer");
    var file = viewer.get("/console/coupons/" + id + "/issued.csv");

    assertThat(status(file)).isEqualTo(200);
    assertThat(status(file.header("Sec-Fetch-Site: cross-site"))).isEqualTo(403);
    assertThat(status(file.header("Sec-Fetch-Site: same-origin"))).isEqualTo(200);
    assertThat(overHttp10("/console/coupons/" + id + "/issued.csv", viewer))
        .contains(" 400 ", "proxy_http_version 1.1");
  }

  /** The whole answer. */
  private String overHttp10(String path, ConsoleVisitor visitor) throws IOException {
    var request =
        "GET %s HTTP/1.0\r\nHost: shop\r\nAccept: text/html\r\nCookie: %s\r\n\r\n"
            .formatted(path, visitor.cookies());
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), world.servicePort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void a_client_that_leaves_a_file_of_user_coupons_is_no_error_and_holds_nothing()
      throws IOException, SQLException {
    try (var holders = ManyHolders.ofDraft(world, HOLDERS)) {
      assertLeavingHoldsNothing(holders.couponId());
    }
  }

  private void assertLeavingHoldsNothing(String id) throws IOException {
    var file = "/console/coupons/" + id + "/issued.csv";
    var viewer = ConsoleVisitor.signedIn(world, "viewer");
    long before = errors();

    // More than can be read at a time.
    for (int i = 0; i < 3; i++) {
      try (var download = SlowDownload.begin(world, viewer.get(file))) {
        assertThat(download.statusLine()).startsWith("HTTP/1.1 200");
        assertThat(export(viewer, id)).contains("of about 30,000", "<progress");
        assertThat(status(viewer.get(file))).isEqualTo(429);
        // Sends no file.
        assertThat(status(Call.bare("HEAD", file).header("Cookie: " + viewer.cookies())))
            .isEqualTo(200);
      }
      Await.until(LIMIT, "it has ended", () -> export(viewer, id).contains("is not complete"));
    }

    assertThat(world.send(viewer.get(file)).body().lines()).hasSize(1 + HOLDERS);
    assertThat(export(viewer, id)).contains("sent, with 30,000 user coupons");
    assertThat(export(ConsoleVisitor.signedIn(world, "operator"), id)).doesNotContain("30,000");
    assertThat(errors()).isEqualTo(before);
  }

  private String export(ConsoleVisitor visitor, String couponId) {
    return world.send(visitor.get("/console/coupons/" + couponId + "/report/export")).body();
  }

  private long errors() throws IOException {
    try (var lines = Files.lines(world.service().logFile())) {
      return lines.filter(line -> line.contains(" ERROR ")).count();
    }
  }
}
