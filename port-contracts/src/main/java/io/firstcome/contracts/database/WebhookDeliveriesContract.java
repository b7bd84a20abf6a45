package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.port.WebhookEndpoints.Addition;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.DeliveryOutcome;
import io.firstcome.domain.webhook.DueDelivery;
import io.firstcome.domain.webhook.TakenLane;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookDelivery.State;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookLanes;
import io.firstcome.domain.webhook.WebhookMessage;
import io.firstcome.domain.webhook.WebhookSecret;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How every database hands events over to webhooks, and keeps the deliveries. */
public abstract class WebhookDeliveriesContract extends DatabaseContract {

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final DeliveryOutcome OK = new DeliveryOutcome.Delivered("204");
  private static final DeliveryOutcome GIVEN_UP = new DeliveryOutcome.GivenUp("500");

  private WebhookDeliveries deliveries() {
    return database().deliveries();
  }

  private WebhookEndpoint webhook(String name) {
    var url = URI.create("https://hooks.example/" + name);
    var secret = WebhookSecret.of(new byte[WebhookSecret.BYTES]);
    var addition = database().webhooks().add(url, secret, 10, OPERATOR, ACCEPTED_AT);
    return ((Addition.Added) addition).endpoint();
  }

  private WebhookEndpoint read(WebhookEndpoint webhook) {
    return database().webhooks().find(webhook.id()).orElseThrow();
  }

  private WebhookEndpoint changed(WebhookEndpoint before, WebhookEndpoint.State state) {
    var now = read(before);
    var after = now.withState(state, ACCEPTED_AT.plusSeconds(now.revision()));
    database().webhooks().change(now, after, OPERATOR);
    return after;
  }

  /** A message for each event, whose body names what the event is about. */
  private static List<WebhookMessage> messages(List<CouponEvent> events) {
    return events.stream()
        .map(event ->
            new WebhookMessage(
                WebhookLanes.of(event),
                event.getClass().getSimpleName(),
                event.couponId(),
                1,
                event instanceof CouponEvent.OfUserCoupon one
                    ? "[{\"userId\":\"%s\",\"userCouponId\":\"%s\"}]"
                        .formatted(one.subject().userId(), one.subject().userCouponId())
                    : "[]"))
        .toList();
  }

  private int handOver(boolean arePublished) {
    int all = 0;
    int some;
    do {
      some =
          database().events().handOverNext(PAGE, arePublished, WebhookDeliveriesContract::messages);
      all += some;
    } while (some > 0);
    return all;
  }

  private List<CouponEvent> published() {
    var all = new ArrayList<CouponEvent>();
    while (database().events().publishNext(PAGE, all::addAll) > 0) {
      // There may be more.
    }
    return all;
  }

  private void add(WebhookEndpoint webhook, int lane, String body) {
    var message = new WebhookMessage(lane, "user-coupon.used", new CouponId("WELCOME"), 1, body);
    assertThat(deliveries().add(webhook.id(), message)).isPresent();
  }

  private TakenLane takeOne(WebhookEndpoint webhook, Duration lease) {
    var taken = deliveries().take(webhook.id(), 1, lease);
    assertThat(taken).hasSize(1);
    return taken.getFirst();
  }

  private DueDelivery next(TakenLane lane) {
    return deliveries().next(lane, LEASE).orElseThrow();
  }

  private List<WebhookDelivery> log(WebhookEndpoint webhook) {
    return deliveries().page(webhook.id(), null, null, PAGE);
  }

  private static void pass(Duration time) throws InterruptedException {
    Thread.sleep(time.plusMillis(5));
  }

  @Test
  void without_an_enabled_webhook_events_are_not_handed_over_and_are_published() {
    changed(webhook("a"), WebhookEndpoint.State.DISABLED);
    record(claim(defined(aCoupon()), "alice", 1));

    assertThat(handOver(true)).isZero();
    assertThat(published()).hasSize(1);
  }

  @Test
  void every_event_is_handed_over_to_each_enabled_webhook_before_it_is_published() {
    var first = webhook("a");
    var second = webhook("b");
    var disabled = changed(webhook("c"), WebhookEndpoint.State.DISABLED);
    var coupon = defined(aCoupon().withTotal(5));
    record(claims(coupon, 3).toArray(AcceptedClaim[]::new));

    assertThat(published()).isEmpty();
    assertThat(handOver(true)).isEqualTo(3);
    assertThat(handOver(true)).isZero();

    assertThat(log(first)).hasSize(3).allMatch(one -> one.state() == State.PENDING);
    assertThat(log(second)).hasSize(3);
    assertThat(log(disabled)).isEmpty();
    assertThat(published()).hasSize(3);
    assertThat(log(first)).hasSize(3);
  }

  @Test
  void without_a_broker_events_are_deleted_when_they_are_handed_over() {
    var webhook = webhook("a");
    record(claim(defined(aCoupon()), "alice", 1));

    assertThat(handOver(false)).isEqualTo(1);

    assertThat(log(webhook)).hasSize(1);
    assertThat(database().events().oldestAge()).isEmpty();
  }

  @Test
  void events_of_a_user_coupon_are_in_one_lane_in_the_order_of_its_steps() {
    var webhook = webhook("a");
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));
    var issued =
        (UserCoupon.Issued) database().userCoupons().find(coupon.id(), user("alice")).orElseThrow();
    takeStep(issued, issued.giveBack(ACCEPTED_AT, true));

    assertThat(handOver(true)).isEqualTo(2);

    assertThat(log(webhook).reversed())
        .extracting(WebhookDelivery::type)
        .containsExactly("Issued", "Returned");
    assertThat(deliveries().take(webhook.id(), WebhookLanes.ALL, LEASE)).hasSize(1);
  }

  @Test
  void a_lane_is_taken_by_one_worker_until_its_lease_ends() throws InterruptedException {
    var webhook = webhook("a");
    assertThat(deliveries().due()).isEmpty();
    add(webhook, 3, "one");
    assertThat(deliveries().due()).containsExactly(webhook.id());

    var held = takeOne(webhook, LEASE);
    assertThat(deliveries().take(webhook.id(), 9, LEASE)).isEmpty();
    assertThat(deliveries().due()).isEmpty();
    deliveries().release(held);
    var lost = takeOne(webhook, MOMENT);
    pass(MOMENT);
    var taken = takeOne(webhook, LEASE);

    assertThat(taken.lane()).isEqualTo(3);
    assertThat(deliveries().next(lost, LEASE)).isEmpty();
    var due = next(taken);
    assertThat(deliveries().note(lost, due.id(), OK)).isFalse();
    deliveries().release(lost);
    assertThat(deliveries().take(webhook.id(), 9, LEASE)).isEmpty();
    assertThat(deliveries().note(taken, due.id(), OK)).isTrue();
  }

  @Test
  void deliveries_of_a_lane_are_made_in_their_order_and_then_it_is_free() {
    var webhook = webhook("a");
    add(webhook, 0, "one");
    add(webhook, 0, "two");
    var lane = takeOne(webhook, LEASE);

    var one = next(lane);
    assertThat(one.body()).isEqualTo("one");
    assertThat(one.endpoint()).isEqualTo(webhook);
    assertThat(deliveries().note(lane, one.id(), OK)).isTrue();
    assertThat(deliveries().note(lane, one.id(), OK)).isFalse();
    var two = next(lane);
    assertThat(two.body()).isEqualTo("two");
    assertThat(deliveries().note(lane, two.id(), GIVEN_UP)).isTrue();

    assertThat(deliveries().next(lane, LEASE)).isEmpty();
    add(webhook, 0, "three");
    assertThat(next(takeOne(webhook, LEASE)).body()).isEqualTo("three");
    assertThat(log(webhook).reversed())
        .extracting(WebhookDelivery::state)
        .containsExactly(State.DELIVERED, State.GIVEN_UP, State.PENDING);
    assertThat(log(webhook).getLast().latest())
        .extracting(WebhookDelivery.Attempt::result)
        .isEqualTo("204");
    assertThat(deliveries().pending(webhook.id(), PAGE)).isEqualTo(1);
  }

  @Test
  void after_a_failure_the_lane_rests_and_other_lanes_do_not() {
    var webhook = webhook("a");
    add(webhook, 0, "one");
    add(webhook, 1, "other lane");
    var lanes = deliveries().take(webhook.id(), 2, LEASE);
    var lane = lanes.stream().filter(one -> one.lane() == 0).findFirst().orElseThrow();
    var other = lanes.stream().filter(one -> one.lane() == 1).findFirst().orElseThrow();

    var due = next(lane);
    assertThat(deliveries().note(lane, due.id(), new DeliveryOutcome.Failed("500", LEASE)))
        .isTrue();

    assertThat(deliveries().take(webhook.id(), 9, LEASE)).isEmpty();
    assertThat(next(other).body()).isEqualTo("other lane");
  }

  @Test
  void a_lane_that_was_released_is_behind_those_that_are_due_for_longer()
      throws InterruptedException {
    var webhook = webhook("a");
    for (int lane = 0; lane < 3; lane++) {
      add(webhook, lane, "one");
    }
    var first = takeOne(webhook, LEASE);
    pass(MOMENT);
    deliveries().release(first);
    pass(MOMENT);

    var others = deliveries().take(webhook.id(), 2, LEASE);

    assertThat(others).hasSize(2).noneMatch(lane -> lane.lane() == first.lane());
    assertThat(takeOne(webhook, LEASE).lane()).isEqualTo(first.lane());
  }

  @Test
  void after_the_rest_the_delivery_that_has_failed_is_made_again() throws InterruptedException {
    var webhook = webhook("a");
    add(webhook, 0, "one");
    add(webhook, 0, "two");
    var lane = takeOne(webhook, LEASE);
    var due = next(lane);
    assertThat(deliveries().note(lane, due.id(), new DeliveryOutcome.Failed("500", MOMENT)))
        .isTrue();
    assertThat(read(webhook).failingSince()).isNotNull();
    pass(MOMENT);

    var again = takeOne(webhook, LEASE);
    assertThat(next(again))
        .isEqualTo(new DueDelivery(due.id(), read(webhook), due.addedAt(), 1, "one"));
    assertThat(due.addedAt()).isEqualTo(log(webhook).getLast().createdAt());
    deliveries().note(again, due.id(), OK);
    assertThat(read(webhook)).isEqualTo(webhook);
    assertThat(next(again).body()).isEqualTo("two");
  }

  @Test
  void a_disabled_webhook_keeps_its_deliveries_and_continues_at_once_when_it_is_enabled() {
    var webhook = webhook("a");
    add(webhook, 0, "one");
    var lane = takeOne(webhook, LEASE);
    var due = next(lane);
    var disabled = changed(webhook, WebhookEndpoint.State.DISABLED);

    assertThat(deliveries().note(lane, due.id(), new DeliveryOutcome.Failed("500", LEASE)))
        .isTrue();
    assertThat(deliveries().due()).isEmpty();
    assertThat(deliveries().take(webhook.id(), 9, LEASE)).isEmpty();

    changed(disabled, WebhookEndpoint.State.ENABLED);
    assertThat(read(webhook).failingSince()).isNull();
    assertThat(next(takeOne(webhook, LEASE)).id()).isEqualTo(due.id());
  }

  @Test
  void a_webhook_that_is_disabled_while_a_lane_is_taken_gets_nothing_more() {
    var webhook = webhook("a");
    add(webhook, 0, "one");
    var lane = takeOne(webhook, LEASE);
    changed(webhook, WebhookEndpoint.State.FAILED);

    assertThat(deliveries().next(lane, LEASE)).isEmpty();
  }

  @Test
  void a_delivery_that_was_given_up_is_made_again_when_an_operator_wants_it() {
    var webhook = webhook("a");
    add(webhook, 0, "one");
    var lane = takeOne(webhook, LEASE);
    var id = next(lane).id();
    assertThat(deliveries().replay(webhook.id(), id, OPERATOR, ACCEPTED_AT)).isFalse();
    deliveries().note(lane, id, GIVEN_UP);
    deliveries().release(lane);

    assertThat(deliveries().page(webhook.id(), State.GIVEN_UP, null, PAGE)).hasSize(1);
    assertThat(deliveries().replay(new WebhookId(9_999), id, OPERATOR, ACCEPTED_AT)).isFalse();
    assertThat(deliveries().replay(webhook.id(), id, OPERATOR, ACCEPTED_AT)).isTrue();
    assertThat(deliveries().replay(webhook.id(), id, OPERATOR, ACCEPTED_AT)).isFalse();

    var again = next(takeOne(webhook, LEASE));
    assertThat(again.id()).isEqualTo(id);
    assertThat(again.attempts()).isZero();
    assertThat(again.body()).isEqualTo("one");
  }

  @Test
  void the_log_is_paged_from_the_newest() {
    var webhook = webhook("a");
    Stream.of("one", "two", "three").forEach(body -> add(webhook, 0, body));

    var first = deliveries().page(webhook.id(), null, null, 2);
    var second = deliveries().page(webhook.id(), null, first.getLast().id(), 2);

    assertThat(Stream.concat(first.stream(), second.stream()).map(WebhookDelivery::id))
        .hasSize(3)
        .isSortedAccordingTo((one, other) -> other.compareTo(one));
    assertThat(deliveries().pending(webhook.id(), 2)).isEqualTo(2);
  }

  @Test
  void old_deliveries_are_removed_whatever_their_state_is() throws InterruptedException {
    var webhook = webhook("a");
    add(webhook, 0, "one");
    add(webhook, 0, "two");
    pass(SECOND);
    add(webhook, 0, "new");

    assertThat(deliveries().forget(LEASE, PAGE)).isZero();
    assertThat(deliveries().forget(SECOND, 1)).isEqualTo(1);
    assertThat(deliveries().forget(SECOND, PAGE)).isEqualTo(1);
    assertThat(log(webhook)).hasSize(1);
  }

  @Test
  void the_deliveries_of_a_deleted_webhook_can_be_removed() {
    var webhook = webhook("a");
    var other = webhook("b");
    add(webhook, 0, "one");
    add(webhook, 1, "two");
    add(other, 0, "other");
    var lane = takeOne(webhook, LEASE);
    assertThat(database().webhooks().delete(webhook, OPERATOR, ACCEPTED_AT)).isTrue();

    assertThat(deliveries().next(lane, LEASE)).isEmpty();
    var message = new WebhookMessage(0, "webhook.test", null, 1, "[]");
    assertThat(deliveries().add(webhook.id(), message)).isEmpty();
    assertThat(deliveries().removeOf(webhook.id(), 1)).isEqualTo(1);
    assertThat(deliveries().removeOf(webhook.id(), PAGE)).isEqualTo(1);
    assertThat(log(other)).hasSize(1);
  }

  @Test
  void a_user_is_not_erased_before_the_deliveries_that_name_the_user_are_made() {
    var webhook = webhook("a");
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    handOver(false);
    var alice = database().userCoupons().find(coupon.id(), user("alice")).orElseThrow();
    var erasure = database().erasures().request(user("alice"), OPERATOR, ACCEPTED_AT);
    var pseudonym = user("erased:0000");

    assertThat(database().erasures().erase(erasure.id(), coupon.id(), pseudonym, false, () -> {}))
        .contains(Obstacle.EVENTS);
    deliverAll(webhook, alice);
    assertThat(database().erasures().erase(erasure.id(), coupon.id(), pseudonym, false, () -> {}))
        .isEmpty();
  }

  /** Delivers all that is in the lane of the user coupon. */
  private void deliverAll(WebhookEndpoint webhook, UserCoupon userCoupon) {
    int number = WebhookLanes.of(userCoupon.id());
    for (var lane : deliveries().take(webhook.id(), WebhookLanes.ALL, LEASE)) {
      if (lane.lane() == number) {
        deliveries()
            .next(lane, LEASE)
            .map(DueDelivery::id)
            .ifPresent((DeliveryId id) -> deliveries().note(lane, id, OK));
        deliveries()
            .next(lane, LEASE)
            .map(DueDelivery::id)
            .ifPresent((DeliveryId id) -> deliveries().note(lane, id, OK));
      }
    }
  }
}
