package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Challenges;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.DrawScript;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Rooms;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract of waiting rooms: each answer, its members and its headers. A room can be joined
 * some seconds after its definition, so all together take a minute.
 */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class WaitingRoomApiIT {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int STREAMS_OF_A_USER = 4;

  private final World world = World.get();
  private final List<String> defined = new ArrayList<>();

  @AfterEach
  void endRooms() {
    Rooms.end(world, defined);
  }

  private static Call join(String coupon, String user) {
    return Call.of("POST", Rooms.path(coupon)).as(user);
  }

  private static Call me(String coupon, String user, String ticket) {
    return Call.get(Rooms.path(coupon) + "/me").as(user).header("X-Ticket: " + ticket);
  }

  private Answer pace(String coupon, String json) {
    var path = "/api/v1/admin/coupons/" + coupon + "/waiting-room";
    return world.send(Call.of("POST", path).operator().json(json));
  }

  private String define(CouponRequests request) {
    var coupon = Rooms.define(world, request);
    defined.add(coupon);
    return coupon;
  }

  private String ticket(String coupon, String user) {
    // Just after an edit the first user is answered busy.
    Await.until(SOON, "a ticket", () -> world.send(join(coupon, user)).status() != 503);
    var joined = world.send(join(coupon, user));
    assertThat(joined.status()).as(joined.body()).isEqualTo(200);
    return joined.text("ticket");
  }

  private Answer standing(String coupon, String user, String ticket, String state) {
    Await.until(
        SOON, state, () -> world.send(me(coupon, user, ticket)).text("state").equals(state));
    return world.send(me(coupon, user, ticket));
  }

  @Test
  void a_definition_has_defaults_that_the_coupon_shows() {
    var opensAt = Instant.parse("2099-05-01T10:00:00Z");
    var request =
        aCoupon()
            .with("opensAt", "\"" + opensAt + "\"")
            .with("closesAt", "\"2099-06-01T10:00:00Z\"")
            .with("waitingRoom", "{}");
    var coupon = world.define(request);

    var shown = world.send(Call.get("/api/v1/coupons/" + coupon)).json().path("waitingRoom");

    assertThat(shown)
        .isEqualTo(
            CouponRequests.read(
                """
                {"mode":"ADMIT","order":"ARRIVAL","joinsFrom":"2099-05-01T09:50:00Z",
                "admissionsPerSecond":100,"admissionTime":"PT2M","paused":false,"challenge":false}
                """));
    assertThat(world.send(Call.define(request.json())).status()).isEqualTo(200);
  }

  @Test
  void users_join_wait_are_admitted_in_their_order_and_claim() {
    var coupon = define(aCoupon().withWaitingRoom(1_000));
    var ann = Users.one();
    var bob = Users.one();
    var joined = world.send(join(coupon, ann));

    assertThat(joined.status()).isEqualTo(200);
    assertThat(joined.text("couponId")).isEqualTo(coupon);
    assertThat(joined.json().path("number").asInt()).isEqualTo(1);
    assertThat(joined.header("location")).endsWith(Rooms.path(coupon) + "/me");
    assertThat(world.send(join(coupon, ann)).body()).isEqualTo(joined.body());
    assertThat(world.send(join(coupon, bob)).json().path("number").asInt()).isEqualTo(2);

    assertProblem(world.send(Call.claim(coupon).as(ann)), 403, "admission-required");
    var admitted = standing(coupon, ann, joined.text("ticket"), "ADMITTED");
    assertThat(admitted.text("phase")).isEqualTo("SERVING");
    assertThat(admitted.json().path("place").asInt()).isEqualTo(1);
    assertThat(Duration.parse(admitted.text("admissionRemaining")))
        .isBetween(Duration.ofMinutes(1), Duration.ofSeconds(135));
    assertThat(admitted.json().propertyNames()).doesNotContain("ahead", "chance", "estimatedWait");
    var admission = "X-Admission: " + admitted.text("admission");
    assertProblem(
        world.send(Call.claim(coupon).as(bob).header(admission)), 403, "invalid-admission");
    assertProblem(
        world.send(Call.claim(coupon).as(ann).header(admission + "A")), 403, "invalid-admission");

    var claimed = world.send(Call.claim(coupon).as(ann).header(admission));
    assertThat(claimed.status()).isEqualTo(202);
    var again = world.send(Call.claim(coupon).as(ann));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.text("code")).isEqualTo(claimed.text("code"));
    assertProblem(world.send(join(coupon, ann)), 409, "has-claim");
  }

  @Test
  void a_room_that_claims_gives_the_coupon_to_each_user_who_is_served() {
    var coupon =
        define(
            aCoupon()
                .withTotal(2)
                .with("waitingRoom", "{\"mode\":\"CLAIM\",\"admissionsPerSecond\":1000}"));
    pace(coupon, "{\"paused\":true}");
    Await.until(
        SOON,
        "the pause",
        () -> world.send(Call.get(Rooms.path(coupon))).text("phase").equals("PAUSED"));
    var users = Users.some(3);
    var tickets = users.stream().map(user -> ticket(coupon, user)).toList();
    assertProblem(world.send(Call.claim(coupon).as(users.getFirst())), 403, "admission-required");
    pace(coupon, "{\"paused\":false}");

    for (int i = 0; i < 2; i++) {
      var user = users.get(i);
      var admitted = standing(coupon, user, tickets.get(i), "ADMITTED");
      var own = world.send(Call.get("/api/v1/coupons/" + coupon + "/claims/me").as(user));
      assertThat(own.json().path("slot").asInt()).isEqualTo(i + 1);
      var claimed =
          world.send(
              Call.claim(coupon).as(user).header("X-Admission: " + admitted.text("admission")));
      assertThat(claimed.status()).isEqualTo(200);
      assertThat(claimed.text("code")).isEqualTo(own.text("code"));
      assertProblem(world.send(join(coupon, user)), 409, "has-claim");
    }

    var last = standing(coupon, users.getLast(), tickets.getLast(), "WAITING");
    assertThat(last.text("chance")).isEqualTo("GONE");
    assertThat(last.json().path("ahead").asInt()).isZero();
    var document = Rooms.document(world, coupon);
    assertThat(document.path("mode").asString()).isEqualTo("CLAIM");
    assertThat(document.path("serving").asInt()).isEqualTo(2);
  }

  private String solution(String coupon, String user) {
    var challenge = world.send(Call.get(Rooms.path(coupon) + "/challenge").as(user));
    assertThat(challenge.status()).as(challenge.body()).isEqualTo(200);
    assertThat(challenge.header("cache-control")).isEqualTo("no-store");
    return "X-Solution: " + Challenges.solve(challenge.json());
  }

  @Test
  void a_room_with_a_challenge_is_joined_with_a_solution_of_ones_own() {
    var coupon = define(aCoupon().with("waitingRoom", "{\"challenge\":true}"));
    assertThat(Rooms.document(world, coupon).path("challenge").asBoolean()).isTrue();
    var other = define(aCoupon().withWaitingRoom(1));
    var ann = Users.one();
    var bob = Users.one();

    assertProblem(world.send(join(coupon, ann)), 403, "challenge-required");
    for (var wrong :
        List.of("X-Solution: e30=", solution(coupon, bob), solution(other, ann), "X-Solution: ")) {
      assertProblem(world.send(join(coupon, ann).header(wrong)), 403, "invalid-solution");
    }

    var solved = solution(coupon, ann);
    var joined = world.send(join(coupon, ann).header(solved));
    assertThat(joined.json().path("number").asInt()).as(joined.body()).isEqualTo(1);
    assertThat(world.send(join(coupon, ann).header(solved)).body()).isEqualTo(joined.body());
    assertThat(world.send(me(coupon, ann, joined.text("ticket"))).status()).isEqualTo(200);

    assertThat(world.send(join(other, ann).header("X-Solution: e30=")).status()).isEqualTo(200);
    assertProblem(world.send(Call.get(Rooms.path(coupon) + "/challenge")), 401, "unauthenticated");
    assertProblem(
        world.send(Call.get(Rooms.path("NOWHERE") + "/challenge").as(ann)), 404, "no-waiting-room");
  }

  @Test
  void a_challenge_can_be_required_while_users_join() {
    var coupon = define(aCoupon().withWaitingRoom(1));
    var early = Users.one();
    var ticket = ticket(coupon, early);

    var edited = pace(coupon, "{\"challenge\":true}");

    assertThat(edited.status()).as(edited.body()).isEqualTo(200);
    Await.until(
        SOON,
        "the challenge",
        () -> world.send(join(coupon, Users.one())).problem().equals("challenge-required"));
    assertThat(world.send(me(coupon, early, ticket)).status()).isEqualTo(200);
    assertThat(world.send(join(coupon, early).header(solution(coupon, early))).text("ticket"))
        .isEqualTo(ticket);
  }

  @Test
  void a_user_who_waits_knows_the_place_the_estimate_and_the_chance() {
    var coupon =
        define(
            aCoupon()
                .openIn(Duration.ofHours(1))
                .closingIn(Duration.ofHours(2))
                .with(
                    "waitingRoom",
                    "{\"admissionsPerSecond\":10,\"joinsFrom\":\"2020-01-01T00:00:00Z\"}"));
    ticket(coupon, Users.one());
    var bob = Users.one();

    var waiting = standing(coupon, bob, ticket(coupon, bob), "WAITING");

    assertThat(waiting.text("phase")).isEqualTo("JOINING");
    assertThat(waiting.json().path("number").asInt()).isEqualTo(2);
    assertThat(waiting.json().path("ahead").asInt()).isEqualTo(1);
    assertThat(waiting.text("chance")).isEqualTo("LIKELY");
    var estimate = waiting.json().path("estimatedWait");
    assertThat(Duration.parse(estimate.path("atLeast").asString()))
        .isBetween(Duration.ofMinutes(58), Duration.ofMinutes(60));
    assertThat(Duration.parse(estimate.path("atMost").asString()))
        .isGreaterThan(Duration.ofMinutes(60));
    assertThat(waiting.header("cache-control")).isEqualTo("no-store");
  }

  @Test
  void the_document_is_the_same_for_everybody_and_can_be_cached_for_a_second() {
    var coupon = define(aCoupon().withTotal(3).withWaitingRoom(7));

    var shown = world.send(Call.get(Rooms.path(coupon)));

    assertThat(shown.header("cache-control")).isEqualTo("max-age=1");
    assertThat(shown.text("phase")).isEqualTo("SERVING");
    assertThat(shown.json().path("rate").asInt()).isEqualTo(7);
    assertThat(shown.json().path("issued").asInt()).isZero();
    assertThat(shown.json().path("total").asInt()).isEqualTo(3);
    assertThat(Instant.parse(shown.text("serverTime")))
        .isBetween(Instant.now().minusSeconds(10), Instant.now().plusSeconds(10));
    var again = Call.get(Rooms.path(coupon)).header("If-None-Match: " + shown.header("etag"));
    assertThat(world.send(again).status()).isEqualTo(304);
    ticket(coupon, Users.one());
    Await.until(SOON, "another document", () -> world.send(again).status() == 200);
  }

  @Test
  void who_cannot_join_is_told_why() {
    var user = Users.one();
    assertProblem(world.send(join("NOWHERE", user)), 404, "unknown-coupon");
    var without = world.define(aCoupon());
    assertProblem(world.send(join(without, user)), 404, "no-waiting-room");
    assertProblem(world.send(Call.get(Rooms.path(without))), 404, "no-waiting-room");
    assertProblem(world.send(me(without, user, "1.1.x")), 404, "no-waiting-room");

    var coupon = define(aCoupon().withTotal(1).withWaitingRoom(1_000));
    assertProblem(world.send(join(coupon, user).json("{}")), 400, "malformed-request");
    var ticket = ticket(coupon, user);
    var admission = standing(coupon, user, ticket, "ADMITTED").text("admission");
    var claim = Call.claim(coupon).as(user).header("X-Admission: " + admission);
    assertThat(world.send(claim).status()).isEqualTo(202);
    assertProblem(world.send(join(coupon, Users.one())), 409, "sold-out");
    Await.until(
        SOON,
        "the phase SOLD_OUT",
        () -> world.send(Call.get(Rooms.path(coupon))).text("phase").equals("SOLD_OUT"));
    assertThat(world.send(me(coupon, user, ticket)).status()).isEqualTo(200);
  }

  @Test
  void nobody_joins_before_the_time() {
    var opensAt = Instant.now().plusSeconds(3_600).toString();
    var joinsFrom = Instant.now().plusSeconds(50).truncatedTo(ChronoUnit.MILLIS).toString();
    var coupon =
        define(
            aCoupon()
                .with("opensAt", "\"" + opensAt + "\"")
                .closingIn(Duration.ofHours(3))
                .with("waitingRoom", "{\"joinsFrom\":\"" + joinsFrom + "\"}"));

    var early = world.send(join(coupon, Users.one()));

    assertProblem(early, 409, "not-open");
    assertThat(early.text("joinsFrom")).isEqualTo(joinsFrom);
    assertThat(Integer.parseInt(early.header("retry-after"))).isBetween(1, 51);
    assertThat(world.send(Call.get(Rooms.path(coupon))).text("phase")).isEqualTo("BEFORE");
  }

  @Test
  void long_before_the_time_a_user_learns_when_it_is() {
    var opensAt = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.SECONDS);
    var coupon =
        world.define(
            aCoupon()
                .with("opensAt", "\"" + opensAt + "\"")
                .closingIn(Duration.ofDays(2))
                .with("waitingRoom", "{}"));

    var early = world.send(join(coupon, Users.one()));

    assertProblem(early, 409, "not-open");
    assertThat(early.text("joinsFrom")).isEqualTo(opensAt.minus(Duration.ofMinutes(10)).toString());
    assertThat(world.send(Call.get(Rooms.path(coupon))).text("phase")).isEqualTo("BEFORE");
  }

  @Test
  void after_the_end_everybody_knows_that_it_is_over() {
    var coupon = define(aCoupon().withWaitingRoom(1_000));
    var ann = Users.one();
    var ticket = ticket(coupon, ann);
    var admission = standing(coupon, ann, ticket, "ADMITTED").text("admission");
    var claim = Call.claim(coupon).as(ann).header("X-Admission: " + admission);
    assertThat(world.send(claim).status()).isEqualTo(202);
    var close = Call.of("POST", "/api/v1/admin/coupons/" + coupon + "/close").operator();
    assertThat(world.send(close).status()).isEqualTo(200);

    standing(coupon, ann, ticket, "ENDED");
    assertThat(world.send(Call.get(Rooms.path(coupon))).text("phase")).isEqualTo("ENDED");
    assertThat(world.send(claim).status()).isEqualTo(200);
    assertProblem(world.send(Call.claim(coupon).as(Users.one())), 409, "closed");
    assertProblem(world.send(join(coupon, Users.one())), 409, "closed");
    assertProblem(pace(coupon, "{\"paused\":true}"), 409, "closed");
  }

  @Test
  void a_coupon_whose_rows_are_its_stock_gets_no_room() {
    var coupon = world.define(aCoupon().with("stockBackend", "\"postgres\""));

    var refused = edit(coupon, 1, "{\"waitingRoom\":{}}");

    assertProblem(refused, 422, "invalid-coupon");
    assertThat(refused.json().path("errors").propertyNames()).containsExactly("waitingRoom");
    assertThat(world.send(Call.claim(coupon).as(Users.one())).status()).isIn(201, 202);
  }

  @Test
  void the_room_of_a_draft_is_changed_by_editing_it() {
    var request = aCoupon().withWaitingRoom(10).with("draft", "true");
    assertThat(world.send(Call.define(request.json())).status()).isEqualTo(201);

    assertProblem(pace(request.id(), "{\"paused\":true}"), 409, "not-published");
    assertThat(edit(request.id(), 1, "{\"waitingRoom\":{\"paused\":true}}").status())
        .isEqualTo(200);
  }

  @Test
  void a_ticket_is_of_one_user_and_one_coupon() {
    var coupon = define(aCoupon().withWaitingRoom(1));
    var other = define(aCoupon().withWaitingRoom(1));
    var ann = Users.one();
    var ticket = ticket(coupon, ann);

    assertProblem(world.send(me(coupon, Users.one(), ticket)), 403, "invalid-ticket");
    assertProblem(world.send(me(other, ann, ticket)), 403, "invalid-ticket");
    assertProblem(world.send(me(coupon, ann, "2" + ticket.substring(1))), 403, "invalid-ticket");
    assertProblem(world.send(me(coupon, ann, "")), 403, "invalid-ticket");
    assertProblem(
        world.send(Call.get(Rooms.path(coupon) + "/me").as(ann)), 400, "malformed-request");
    assertProblem(
        world.send(Call.get(Rooms.path(coupon) + "/me/events").as(ann)), 400, "malformed-request");
  }

  @Test
  void an_operator_changes_the_rate_and_pauses_the_room() {
    var coupon = define(aCoupon().withWaitingRoom(1_000));
    assertThat(
            pace(coupon, "{\"paused\":true}").json().path("waitingRoom").path("paused").asBoolean())
        .isTrue();
    Await.until(
        SOON,
        "the pause",
        () -> world.send(Call.get(Rooms.path(coupon))).text("phase").equals("PAUSED"));
    var ann = Users.one();
    var ticket = ticket(coupon, ann);
    var waiting = standing(coupon, ann, ticket, "WAITING");
    assertThat(waiting.json().has("estimatedWait")).isFalse();

    assertProblem(pace(coupon, "{\"admissionsPerSecond\":0}"), 422, "invalid-coupon");
    assertProblem(pace(coupon, "{\"admissionsPerSecond\":1.5}"), 400, "malformed-request");
    assertProblem(pace("NOWHERE", "{\"paused\":true}"), 404, "unknown-coupon");
    assertProblem(pace(world.define(aCoupon()), "{\"paused\":true}"), 404, "no-waiting-room");
    assertThat(world.send(me(coupon, ann, ticket)).text("state")).isEqualTo("WAITING");
    var resumed = pace(coupon, "{\"admissionsPerSecond\":50,\"paused\":false}");
    assertThat(resumed.json().path("waitingRoom").path("admissionsPerSecond").asInt())
        .isEqualTo(50);
    standing(coupon, ann, ticket, "ADMITTED");
    assertThat(Rooms.document(world, coupon).path("rate").asInt()).isEqualTo(50);
  }

  @Test
  void after_the_first_ticket_only_rate_and_pause_can_be_edited() {
    var coupon = define(aCoupon().withWaitingRoom(10));
    assertThat(edit(coupon, 1, "{\"waitingRoom\":{\"admissionTime\":\"PT1M\"}}").status())
        .isEqualTo(200);
    var ticket = ticket(coupon, Users.one());
    assertThat(ticket).startsWith("1.");

    assertProblem(
        edit(coupon, 2, "{\"waitingRoom\":{\"admissionTime\":\"PT3M\"}}"), 409, "already-claimed");
    assertProblem(edit(coupon, 2, "{\"waitingRoom\":null}"), 409, "already-claimed");
    assertThat(edit(coupon, 2, "{\"waitingRoom\":{\"admissionsPerSecond\":20}}").status())
        .isEqualTo(200);
  }

  private Answer edit(String coupon, int revision, String patch) {
    return world.send(
        Call.of("PATCH", "/api/v1/admin/coupons/" + coupon)
            .operator()
            .header("If-Match: \"" + revision + '"')
            .json(patch));
  }

  private HttpResponse<Stream<String>> stream(
      HttpClient http, String coupon, String user, String ticket) {
    var address =
        "http://127.0.0.1:%d%s/me/events".formatted(world.servicePort(), Rooms.path(coupon));
    return http.sendAsync(
            HttpRequest.newBuilder(URI.create(address))
                .header("X-Gateway-Secret", ServiceProcess.GATEWAY_SECRET)
                .header("X-User-Id", user)
                .header("X-Ticket", ticket)
                .build(),
            BodyHandlers.ofLines())
        .join();
  }

  @Test
  void events_tell_the_standing_until_the_user_is_admitted() {
    var coupon = define(aCoupon().withWaitingRoom(100));
    pace(coupon, "{\"paused\":true}");
    Await.until(
        SOON,
        "the pause",
        () -> world.send(Call.get(Rooms.path(coupon))).text("phase").equals("PAUSED"));
    var ann = Users.one();
    var ticket = ticket(coupon, ann);
    try (var http = HttpClient.newHttpClient()) {
      var answer = stream(http, coupon, ann, ticket);
      pace(coupon, "{\"paused\":false}");

      var lines = answer.body().toList();

      assertThat(answer.headers().firstValue("content-type"))
          .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
      assertThat(lines.getFirst()).matches("retry: \\d{4}");
      var data =
          lines.stream()
              .filter(line -> line.startsWith("data: "))
              .map(line -> CouponRequests.read(line.substring("data: ".length())))
              .toList();
      assertThat(data.getFirst().path("state").asString()).isEqualTo("WAITING");
      assertThat(data.getLast().path("state").asString()).isEqualTo("ADMITTED");
      assertThat(data.getLast().path("admission").asString()).isNotEmpty();
    }
  }

  @Test
  void a_user_has_a_limited_number_of_streams() {
    var coupon = define(aCoupon().withWaitingRoom(100));
    pace(coupon, "{\"paused\":true}");
    var ann = Users.one();
    var ticket = ticket(coupon, ann);
    standing(coupon, ann, ticket, "WAITING");
    var open = new ArrayList<HttpResponse<Stream<String>>>();
    var http = HttpClient.newHttpClient();
    try {
      for (int i = 0; i < STREAMS_OF_A_USER; i++) {
        open.add(stream(http, coupon, ann, ticket));
      }
      assertThat(open).extracting(HttpResponse::statusCode).containsOnly(200);
      assertThat(stream(http, coupon, ann, ticket).statusCode()).isEqualTo(429);

      pace(coupon, "{\"paused\":false}");
      for (var stream : open) {
        assertThat(stream.body().toList()).isNotEmpty();
      }
      Await.until(
          SOON,
          "a stream after the others have ended",
          () -> stream(http, coupon, ann, ticket).statusCode() == 200);
    } finally {
      // Without waiting for answers that nobody reads.
      http.shutdownNow();
    }
  }

  @Test
  void the_order_of_a_draw_can_be_checked_by_everybody() throws Exception {
    var opensAt = Instant.now().plusSeconds(12).truncatedTo(ChronoUnit.MILLIS);
    var coupon =
        define(
            aCoupon()
                .with("opensAt", "\"" + opensAt + "\"")
                .with("waitingRoom", "{\"order\":\"DRAW\",\"admissionsPerSecond\":1}"));
    var users = Users.some(9);
    var tickets = users.stream().map(user -> ticket(coupon, user)).toList();
    var before = Rooms.document(world, coupon).path("draw");
    assertThat(before.propertyNames()).containsExactly("commitment");
    var waiting = standing(coupon, users.getFirst(), tickets.getFirst(), "WAITING");
    assertThat(waiting.json().has("place")).isFalse();

    Await.until(SOON, "the draw", () -> Rooms.document(world, coupon).path("draw").has("seed"));

    var document = world.send(Call.get(Rooms.path(coupon))).body();
    assertThat(CouponRequests.read(document).path("draw").path("tickets").asInt()).isEqualTo(9);
    var places = new ArrayList<Integer>();
    for (int i = 0; i < users.size(); i++) {
      int place = world.send(me(coupon, users.get(i), tickets.get(i))).json().path("place").asInt();
      assertThat(DrawScript.place(before.path("commitment").asString(), document, i + 1))
          .isEqualTo(place);
      places.add(place);
    }
    assertThat(places).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9);
    var late = Users.one();
    assertThat(world.send(me(coupon, late, ticket(coupon, late))).json().path("place").asInt())
        .isEqualTo(10);
    assertThat(
            DrawScript.output(
                "00" + before.path("commitment").asString().substring(2), document, 1))
        .contains("not the one that was promised");
  }

  @Test
  void the_methods_of_a_room_are_those_of_the_contract() {
    var coupon = define(aCoupon().withWaitingRoom(1));
    for (var method : List.of("PUT", "DELETE", "PATCH")) {
      assertProblem(
          world.send(Call.of(method, Rooms.path(coupon)).as(Users.one())),
          405,
          "method-not-allowed");
    }
  }
}
