package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Webhooks.PATH;
import static io.firstcome.systemtests.kit.Webhooks.id;
import static io.firstcome.systemtests.kit.Webhooks.ifMatch;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceSettings;
import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.PostgresAlone;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.WebhookReceiver;
import io.firstcome.systemtests.kit.Webhooks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Events are delivered to webhooks, without a broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int USERS = 300;

  private final PostgresAlone world = new PostgresAlone("webhooks", settings());
  private final Webhooks webhooks = new Webhooks(world::send);

  private static Map<String, String> settings() {
    var all = new HashMap<>(ServiceSettings.LOCAL_WEBHOOKS);
    all.put("FIRSTCOME_LIMITS_WEBHOOKS_FIRSTPAUSE", "200ms");
    all.put("FIRSTCOME_LIMITS_WEBHOOKS_CONNECTTIME", "1s");
    all.put("FIRSTCOME_LIMITS_WEBHOOKS_REQUESTTIME", "3s");
    all.put("FIRSTCOME_LIMITS_WEBHOOKS_LEASE", "5s");
    return all;
  }

  @AfterEach
  void deleteWebhooks() {
    webhooks.deleteAll();
  }

  @AfterAll
  void close() {
    world.close();
  }

  private Answer add(WebhookReceiver receiver) {
    return webhooks.add(receiver.url());
  }

  private String claimed(String coupon, String user) {
    var claim = world.send(Call.claim(coupon).as(user));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  private void assertStatus(int status, Call call) {
    var answer = world.send(call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
  }

  private void useUndoAndUseAgain(String userCoupon) {
    assertStatus(201, Redemptions.use(userCoupon, "order-1", 2_000));
    assertStatus(204, Redemptions.undo(userCoupon, "order-1"));
    assertStatus(201, Redemptions.use(userCoupon, "order-2", 2_000));
  }

  @Test
  void events_are_delivered_signed_and_without_codes() {
    try (var receiver = WebhookReceiver.willing()) {
      var secret = add(receiver).text("secret");
      var coupon = world.define(aCoupon().withTotal(2));
      var claim = world.send(Call.claim(coupon).as("ann"));
      var anns = claim.text("userCouponId");
      useUndoAndUseAgain(anns);
      var bobs = claimed(coupon, "bob");

      Await.until(SOON, () -> receiver.taken().toString(), () -> receiver.eventIds().size() == 6);
      assertThat(receiver.storyOf(anns))
          .containsExactly("issued 1", "used 2", "restored 3", "used 4");
      assertThat(receiver.storyOf(bobs)).containsExactly("issued 1");
      assertThat(receiver.storyOf(coupon)).containsExactly("sold-out ");
      assertThat(receiver.taken())
          .allSatisfy(message -> {
            assertThat(message.isSignedWith(secret)).isTrue();
            assertThat(message.body()).doesNotContain(claim.text("code"));
          });
    }
  }

  @Test
  void events_of_a_user_coupon_keep_their_order_while_every_message_fails_at_first() {
    Set<String> failed = ConcurrentHashMap.newKeySet();
    try (var receiver =
        WebhookReceiver.answering(message -> failed.add(message.id()) ? 500 : 204)) {
      var id = id(add(receiver));
      var coupon = world.define(aCoupon().withTotal(100));
      var userCoupons = Users.some(20).stream().map(user -> claimed(coupon, user)).toList();
      userCoupons.forEach(this::useUndoAndUseAgain);

      Await.until(
          SOON.multipliedBy(2),
          () -> receiver.eventIds().size() + " events",
          () -> receiver.eventIds().size() == 4 * userCoupons.size());
      assertThat(userCoupons)
          .allSatisfy(one ->
              assertThat(receiver.storyOf(one))
                  .containsExactly("issued 1", "used 2", "restored 3", "used 4"));
      var log = world.send(Call.get(PATH + "/" + id + "/deliveries?limit=100").operator());
      assertThat(log.json().path("items").valueStream())
          .isNotEmpty()
          .allSatisfy(delivery -> {
            assertThat(delivery.path("state").asString()).isEqualTo("DELIVERED");
            assertThat(delivery.path("attempts").asInt()).isEqualTo(2);
          });
    }
  }

  @Test
  void a_receiver_that_never_answers_holds_up_neither_others_nor_claims_nor_the_end()
      throws IOException {
    try (var frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var receiver = WebhookReceiver.willing()) {
      webhooks.add("http://127.0.0.1:%d/".formatted(frozen.getLocalPort()));
      add(receiver);
      var coupon = world.define(aCoupon().withTotal(USERS));

      world.crowd(coupon, Users.some(USERS)).join();

      assertThat(world.assertExactInOrder(coupon).liveRows()).isEqualTo(USERS);
      Await.until(
          SOON,
          () -> receiver.eventIds().size() + " events",
          () -> receiver.eventIds().size() == USERS + 3);
      long begin = System.nanoTime();
      world.service().stop();
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
      world.service().restart();
      world.awaitReady();
    }
  }

  @Test
  void a_service_killed_while_it_delivers_loses_no_event() {
    try (var receiver = WebhookReceiver.answering(_ -> afterAPause())) {
      add(receiver);
      var coupon = world.define(aCoupon().withTotal(USERS));
      var crowd = world.crowd(coupon, Users.some(USERS)).awaitMidBurst(USERS / 3);
      Await.until(SOON, "nothing is delivered", () -> !receiver.taken().isEmpty());

      world.service().kill();
      world.service().restart();
      crowd.join();
      world.awaitReady();

      Await.until(
          SOON.multipliedBy(2),
          () -> receiver.eventIds().size() + " events",
          () -> receiver.eventIds().size() == USERS + 3);
    }
  }

  private static int afterAPause() {
    Await.pause(Duration.ofMillis(50));
    return 204;
  }

  @Test
  void a_redirect_is_not_followed() {
    try (var other = WebhookReceiver.willing();
        var receiver = WebhookReceiver.redirecting(other.url())) {
      var id = id(add(receiver));
      assertStatus(202, Call.of("POST", PATH + "/" + id + "/test").operator());

      Await.until(SOON, "no attempt was made", () -> receiver.seen().size() >= 2);
      assertThat(other.seen()).isEmpty();
      var delivery =
          world
              .send(Call.get(PATH + "/" + id + "/deliveries").operator())
              .json()
              .path("items")
              .get(0);
      assertThat(delivery.path("state").asString()).isEqualTo("PENDING");
      assertThat(delivery.path("result").asString()).isEqualTo("307");
      assertThat(delivery.path("type").asString()).isEqualTo("webhook.test");
    }
  }

  @Test
  void addresses_that_must_not_be_called_are_refused() {
    var notAllowed = "url names a host whose address is not allowed";
    var faults =
        Map.of(
            "https://10.0.0.1/hooks", notAllowed,
            "http://169.254.169.254/latest/meta-data", notAllowed,
            "https://[::1]/", notAllowed,
            "https://[::ffff:192.168.0.1]/", notAllowed,
            "https://[64:ff9b::a00:1]/", notAllowed,
            "http://127.0.0.2/", notAllowed,
            "https://ann@1.1.1.1/", "url must have no user and no fragment",
            "gopher://1.1.1.1/", "url must begin with https:// or http://",
            "", "url must begin with https:// or http://",
            "https://a b/", "url is not an address");

    faults.forEach((url, fault) -> {
      var answer = webhooks.tryToAdd(url);
      assertThat(answer.status()).as(url).isEqualTo(422);
      assertThat(answer.problem()).isEqualTo("invalid-webhook");
      assertThat(answer.json().path("errors").path("url").asString()).as(url).isEqualTo(fault);
    });
  }

  @Test
  void of_two_operators_one_wins_and_the_other_sees_what_changed() {
    try (var receiver = WebhookReceiver.willing()) {
      var first = add(receiver);
      assertThat(webhooks.tryToAdd(receiver.url()).problem()).isEqualTo("already-defined");
      var path = PATH + "/" + id(first);
      var disable = Call.of("PATCH", path).json("{\"enabled\":false}");

      assertThat(world.send(disable.operator()).problem()).isEqualTo("precondition-required");
      assertThat(world.send(ifMatch(disable, 1)).json().path("state").asString())
          .isEqualTo("DISABLED");
      var second = world.send(ifMatch(Call.of("POST", path + "/secret"), 1));
      assertThat(second.problem()).isEqualTo("overtaken");
      assertThat(second.json().path("revision").asInt()).isEqualTo(2);
      assertThat(world.send(Call.of("POST", path + "/test").operator()).problem())
          .isEqualTo("not-enabled");

      var rotated = world.send(ifMatch(Call.of("POST", path + "/secret"), 2));
      assertThat(rotated.status()).isEqualTo(200);
      assertThat(rotated.text("secret")).isNotEqualTo(first.text("secret")).startsWith("whsec_");
      var read = world.send(Call.get(path).operator());
      assertThat(read.body()).doesNotContain("whsec_");
      assertThat(read.text("previousSecretUntil")).isNotEmpty();
      assertStatus(200, ifMatch(Call.of("PATCH", path).json("{\"enabled\":true}"), 3));
      assertStatus(202, Call.of("POST", path + "/test").operator());
      Await.until(SOON, "the test is not delivered", () -> !receiver.taken().isEmpty());
      assertThat(receiver.taken().getFirst().isSignedWith(first.text("secret"))).isTrue();
      assertThat(receiver.taken().getFirst().isSignedWith(rotated.text("secret"))).isTrue();

      assertThat(world.send(ifMatch(Call.of("DELETE", path), 3)).problem()).isEqualTo("overtaken");
      assertStatus(204, ifMatch(Call.of("DELETE", path), 4));
      assertThat(world.send(Call.get(path).operator()).problem()).isEqualTo("unknown-webhook");
      assertThat(world.send(ifMatch(Call.of("DELETE", path), 4)).problem())
          .isEqualTo("unknown-webhook");
    }
  }
}
