package io.firstcome.application.webhook;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.EventFormat;
import io.firstcome.domain.port.WebhookSender;
import io.firstcome.domain.webhook.WebhookDelivery.State;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookMessage;
import io.firstcome.domain.webhook.WebhookSecret;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliverWebhooksTest {

  private static final WebhookLimits LIMITS = WebhookLimits.defaults();
  private static final int GONE = 410;

  /** All pauses together are shorter than the time after which a webhook is disabled. */
  private static final Duration AFTER_ANY_PAUSE = LIMITS.longestPause().plusMinutes(61);

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-01T10:00:00Z"));
  private final InstantSource clock = now::get;
  private final InMemoryDatabase database = new InMemoryDatabase(clock);
  private final Receiver receiver = new Receiver();
  private final WebhookPorts ports =
      new WebhookPorts(
          database.webhooks(),
          database.deliveries(),
          receiver,
          () -> WebhookSecret.of(new byte[WebhookSecret.BYTES]),
          new NoFormat());
  private final ManageWebhooks manage = new ManageWebhooks(ports, LIMITS, clock);

  /** Lanes that were taken and not worked on yet. */
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private final DeliverWebhooks deliver =
      new DeliverWebhooks(ports, LIMITS, clock, waiting::add, IssuanceObserver.silent());

  /** Answers each body with a status, 204 unless a test says otherwise. */
  private static final class Receiver implements WebhookSender {

    private final List<Request> requests = new ArrayList<>();
    private Supplier<Reply> reply = () -> new Reply.Answered(204, null);

    @Override
    public Optional<String> fault(URI url) {
      return Optional.empty();
    }

    @Override
    public Reply send(Request request) {
      requests.add(request);
      return reply.get();
    }

    List<String> bodies() {
      return requests.stream().map(Request::body).toList();
    }

    void answers(int status, @Nullable Duration retryAfter) {
      reply = () -> new Reply.Answered(status, retryAfter);
    }

    void fails() {
      reply =
          () -> {
            throw new IllegalStateException("unexpected");
          };
    }
  }

  private static final class NoFormat implements EventFormat {

    @Override
    public String type(CouponEvent event) {
      throw new UnsupportedOperationException("no event is handed over");
    }

    @Override
    public String text(List<CouponEvent> events) {
      throw new UnsupportedOperationException("no event is handed over");
    }

    @Override
    public String test(Instant at) {
      return "[test]";
    }

    @Override
    public String testType() {
      return "webhook.test";
    }
  }

  private WebhookId webhook(String name) {
    var url = URI.create("https://hooks.example/" + name);
    return ((ManageWebhooks.Result.Done) manage.add(url, OPERATOR)).endpoint().id();
  }

  private void add(WebhookId id, int lane, String body) {
    var message = new WebhookMessage(lane, "user-coupon.used", new CouponId("WELCOME"), 1, body);
    assertThat(database.deliveries().add(id, message)).isPresent();
  }

  private void passes(Duration time) {
    now.updateAndGet(at -> at.plus(time));
  }

  /** Does all that is due now. */
  private void work() {
    while (deliver.beginDue()) {
      workOnTaken();
    }
  }

  private void workOnTaken() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  private WebhookEndpoint read(WebhookId id) {
    return manage.find(id).orElseThrow();
  }

  @Test
  void deliveries_are_signed_and_made_in_the_order_of_their_lane() {
    var id = webhook("a");
    add(id, 0, "one");
    add(id, 0, "two");

    work();

    assertThat(receiver.bodies()).containsExactly("one", "two");
    var request = receiver.requests.getFirst();
    assertThat(request.signatures())
        .containsExactly(read(id).secret().sign(request.messageId(), now.get(), "one"));
    assertThat(manage.pending(id)).isZero();
  }

  @Test
  void after_a_failure_the_next_delivery_of_the_lane_waits_and_other_lanes_do_not() {
    var id = webhook("a");
    add(id, 0, "one");
    receiver.answers(500, null);
    work();
    receiver.answers(204, null);
    add(id, 0, "two");
    add(id, 1, "other lane");

    work();
    assertThat(receiver.bodies()).containsExactly("one", "other lane");
    passes(LIMITS.firstPause().multipliedBy(2));
    work();

    assertThat(receiver.bodies()).containsExactly("one", "other lane", "one", "two");
    assertThat(receiver.requests.get(2).messageId())
        .isEqualTo(receiver.requests.getFirst().messageId());
    assertThat(receiver.requests.get(2).at()).isEqualTo(now.get());
  }

  @Test
  void the_receiver_can_ask_for_a_longer_pause() {
    var id = webhook("a");
    add(id, 0, "one");
    receiver.answers(503, Duration.ofMinutes(30));
    work();
    passes(Duration.ofMinutes(29));
    work();
    assertThat(receiver.requests).hasSize(1);

    passes(Duration.ofMinutes(10));
    work();

    assertThat(receiver.requests).hasSize(2);
  }

  @Test
  void a_redirect_is_a_failure() {
    var id = webhook("a");
    add(id, 0, "one");
    receiver.answers(302, null);

    work();

    assertThat(manage.pending(id)).isEqualTo(1);
  }

  @Test
  void an_unexpected_error_counts_as_an_attempt() {
    var id = webhook("a");
    add(id, 0, "one");
    receiver.fails();

    work();

    assertThat(manage.page(id, null, null, 10).getFirst().attempts()).isEqualTo(1);
    assertThat(read(id).failingSince()).isEqualTo(now.get());
  }

  @Test
  void a_delivery_that_fails_too_often_is_given_up_and_the_lane_goes_on() {
    var id = webhook("a");
    add(id, 0, "poison");
    add(id, 0, "two");
    receiver.answers(500, null);
    for (int attempt = 1; attempt < LIMITS.attempts(); attempt++) {
      work();
      passes(AFTER_ANY_PAUSE);
    }
    assertThat(receiver.bodies()).containsOnly("poison").hasSize(LIMITS.attempts() - 1);

    work();
    receiver.answers(204, null);
    passes(AFTER_ANY_PAUSE);
    work();

    assertThat(receiver.bodies().getLast()).isEqualTo("two");
    assertThat(manage.page(id, State.GIVEN_UP, null, 10)).hasSize(1);
  }

  @Test
  void a_webhook_that_fails_for_days_is_disabled_and_keeps_what_waits() {
    var id = webhook("a");
    add(id, 0, "one");
    receiver.answers(500, null);
    work();
    passes(Duration.ofDays(LIMITS.failingDays()).plusMinutes(1));
    for (int attempt = 2; attempt <= LIMITS.attempts() / 2; attempt++) {
      work();
      passes(AFTER_ANY_PAUSE);
    }
    assertThat(read(id).state()).isEqualTo(WebhookEndpoint.State.ENABLED);

    work();

    assertThat(read(id).state()).isEqualTo(WebhookEndpoint.State.FAILED);
    assertThat(manage.pending(id)).isEqualTo(1);
    receiver.answers(204, null);
    manage.change(id, read(id).revision(), null, true, OPERATOR);
    work();
    assertThat(manage.pending(id)).isZero();
  }

  @Test
  void a_lane_whose_webhook_was_disabled_is_free_at_once() {
    var id = webhook("a");
    add(id, 0, "one");
    receiver.answers(GONE, null);
    work();

    receiver.answers(204, null);
    manage.change(id, read(id).revision(), null, true, OPERATOR);
    work();

    assertThat(manage.pending(id)).isZero();
  }

  @Test
  void the_lanes_of_a_slow_receiver_have_turns() {
    var id = webhook("a");
    for (int lane = 0; lane < 2 * LIMITS.inFlight(); lane++) {
      add(id, lane, "first of " + lane);
      add(id, lane, "second of " + lane);
    }
    receiver.reply =
        () -> {
          passes(Duration.ofSeconds(10));
          return new WebhookSender.Reply.Answered(204, null);
        };

    work();

    assertThat(receiver.bodies().subList(0, 2 * LIMITS.inFlight()))
        .allMatch(body -> body.startsWith("first"));
    assertThat(manage.pending(id)).isZero();
  }

  @Test
  void a_receiver_that_is_gone_is_disabled_at_once() {
    var id = webhook("a");
    add(id, 0, "one");
    receiver.answers(GONE, null);

    work();

    assertThat(read(id).state()).isEqualTo(WebhookEndpoint.State.FAILED);
    assertThat(manage.pending(id)).isEqualTo(1);
  }

  @Test
  void requests_under_way_are_bounded_for_each_webhook_alone() {
    var slow = webhook("slow");
    var fast = webhook("fast");
    for (int lane = 0; lane < 16; lane++) {
      add(slow, lane, "slow");
    }
    deliver.beginDue();
    assertThat(waiting).hasSize(LIMITS.inFlight());
    assertThat(deliver.beginDue()).isFalse();

    add(fast, 0, "fast");
    assertThat(deliver.beginDue()).isTrue();
    assertThat(waiting).hasSize(LIMITS.inFlight() + 1);
    workOnTaken();
    work();

    assertThat(receiver.requests).hasSize(17);
  }

  @Test
  void what_a_lost_instance_has_taken_is_delivered_after_its_lease() {
    var id = webhook("a");
    add(id, 0, "one");
    deliver.beginDue();
    var lost = List.copyOf(waiting);
    waiting.clear();
    var other = new DeliverWebhooks(ports, LIMITS, clock, waiting::add, IssuanceObserver.silent());
    assertThat(other.beginDue()).isFalse();

    passes(LIMITS.lease().plusSeconds(1));
    assertThat(other.beginDue()).isTrue();
    workOnTaken();
    lost.forEach(Runnable::run);

    assertThat(receiver.bodies()).containsExactly("one");
  }

  @Test
  void an_instance_that_is_closed_notes_nothing() {
    var id = webhook("a");
    add(id, 0, "one");
    deliver.beginDue();
    deliver.close();

    workOnTaken();

    assertThat(manage.page(id, null, null, 10).getFirst().attempts()).isZero();
  }
}
