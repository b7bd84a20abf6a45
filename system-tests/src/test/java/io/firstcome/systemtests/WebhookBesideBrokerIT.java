package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.EventListener;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.WebhookReceiver;
import io.firstcome.systemtests.kit.Webhooks;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Beside RabbitMQ a webhook gets the same events, and does not wait for the broker. */
@ExtendWith(QuietLogs.class)
class WebhookBesideBrokerIT {

  private static final Duration SOON = Duration.ofSeconds(30);

  /**
   * RabbitMQ 3.10 saves the name of a quorum queue half a second after its declaration. Killed
   * before, it has the queue without its messages and without a leader, and no consumer gets any.
   */
  private static final Duration QUEUE_IS_SAVED = Duration.ofSeconds(2);

  private final World world = World.get();
  private final Webhooks webhooks = new Webhooks(world::send);

  @AfterEach
  void deleteWebhooks() {
    webhooks.deleteAll();
  }

  @Test
  void a_webhook_and_a_listener_get_the_same_events_in_order() {
    var coupon = world.define(aCoupon());
    try (var receiver = WebhookReceiver.willing();
        var listener = listener(coupon)) {
      var secret = webhooks.add(receiver.url()).text("secret");
      var userCoupons = Users.some(20).stream().map(user -> issued(coupon, user)).toList();
      userCoupons.forEach(this::useUndoAndUseAgain);

      for (var userCoupon : userCoupons) {
        var events = events(userCoupon, 4);
        awaitEvents(userCoupon, receiver::eventIds, events);
        awaitEvents(userCoupon, listener::eventIds, events);
        assertThat(receiver.storyOf(userCoupon))
            .containsExactly("issued 1", "used 2", "restored 3", "used 4");
        assertThat(listener.storyOf(userCoupon))
            .containsExactly("issued", "used", "restored", "used");
      }
      assertThat(receiver.taken()).allMatch(message -> message.isSignedWith(secret));
    }
  }

  @Tag("slow")
  @Test
  void a_webhook_gets_events_while_the_broker_is_away_and_a_listener_gets_them_afterwards() {
    var coupon = world.define(aCoupon());
    var users = Users.some(2);
    try (var receiver = WebhookReceiver.willing();
        var listener = listener(coupon)) {
      webhooks.add(receiver.url());
      var first = issued(coupon, users.getFirst());
      awaitEvents(first, listener::eventIds, events(first, 1));
      Await.pause(QUEUE_IS_SAVED);

      world.amqp().kill();
      String second;
      try {
        useUndoAndUseAgain(first);
        second = accepted(coupon, users.getLast());
        awaitEvents(first, receiver::eventIds, events(first, 4));
        assertThat(receiver.storyOf(second)).as("a claim without a row").isEmpty();
      } finally {
        world.amqp().restart();
      }

      awaitEvents(first, listener::eventIds, events(first, 4));
      awaitEvents(second, listener::eventIds, events(second, 1));
      awaitEvents(second, receiver::eventIds, events(second, 1));
    }
  }

  private EventListener listener(String coupon) {
    return EventListener.to(world.amqp(), "it.webhook." + coupon, "*.*." + coupon);
  }

  private String issued(String coupon, String user) {
    return claimed(201, Call.claim(coupon).as(user).prefer("wait=10"));
  }

  private String accepted(String coupon, String user) {
    return claimed(202, Call.claim(coupon).as(user));
  }

  private String claimed(int status, Call call) {
    var claim = world.send(call);
    assertThat(claim.status()).as(claim.body()).isEqualTo(status);
    return claim.text("userCouponId");
  }

  private void useUndoAndUseAgain(String userCoupon) {
    assertStatus(201, Redemptions.use(userCoupon, "order-1", 2_000));
    assertStatus(204, Redemptions.undo(userCoupon, "order-1"));
    assertStatus(201, Redemptions.use(userCoupon, "order-2", 2_000));
  }

  private void assertStatus(int status, Call call) {
    var answer = world.send(call);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
  }

  /** The ids of the first events of a user coupon. */
  private static List<String> events(String userCoupon, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(revision -> userCoupon + "/" + revision)
        .toList();
  }

  /** Waits until these events of the user coupon have arrived, in this order, and no other ones. */
  private static void awaitEvents(
      String userCoupon, Supplier<List<String>> arrived, List<String> events) {
    Supplier<List<String>> own =
        () -> arrived.get().stream().filter(id -> id.startsWith(userCoupon + "/")).toList();
    Await.until(SOON, () -> events + ", but " + own.get(), () -> own.get().equals(events));
  }
}
