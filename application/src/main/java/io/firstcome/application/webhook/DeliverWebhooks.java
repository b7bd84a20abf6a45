package io.firstcome.application.webhook;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.port.WebhookSender;
import io.firstcome.domain.port.WebhookSender.Reply;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.webhook.DeliveryOutcome;
import io.firstcome.domain.webhook.DueDelivery;
import io.firstcome.domain.webhook.TakenLane;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the pending deliveries. Each webhook has a bounded number of requests under way, on threads
 * of its own, so one that is slow does not delay the others. While a request is under way, no
 * connection to the database is in use: the lane is leased.
 */
public final class DeliverWebhooks implements AutoCloseable {

  private static final String ROUND = "delivering to webhooks";

  /** Then another lane of the same webhook has a turn. */
  private static final int IN_A_ROW = 50;

  /** A slow receiver takes as long for few deliveries. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(5);

  /** All threads together, so that most connections of the pool are left to claims. */
  private static final int DATABASE_CALLS = 2;

  private static final int OK = 200;
  private static final int AFTER_OK = 300;

  /** The receiver wants no more events, as Standard Webhooks says. */
  private static final int GONE = 410;

  private final WebhookEndpoints endpoints;
  private final WebhookDeliveries deliveries;
  private final WebhookSender sender;
  private final WebhookLimits limits;
  private final InstantSource clock;
  private final Executor threads;
  private final IssuanceObserver observer;

  private final Semaphore databaseCalls = new Semaphore(DATABASE_CALLS);

  /** The requests that each webhook may have under way besides those it has. */
  private final Map<WebhookId, Semaphore> free = new HashMap<>();

  private volatile boolean stopped;

  /**
   * @param clock the database's
   * @param threads runs each lane that is taken, on a platform thread of its own: a look-up of a
   *     name can block it for long
   */
  public DeliverWebhooks(
      WebhookPorts ports,
      WebhookLimits limits,
      InstantSource clock,
      Executor threads,
      IssuanceObserver observer) {
    this.endpoints = ports.endpoints();
    this.deliveries = ports.deliveries();
    this.sender = ports.sender();
    this.limits = limits;
    this.clock = clock;
    this.threads = threads;
    this.observer = observer;
  }

  /**
   * Begins to send what is due, without waiting for answers. Called by one thread.
   *
   * @return whether anything was begun
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean beginDue() {
    free.values().removeIf(permits -> permits.availablePermits() == limits.inFlight());
    boolean begun = false;
    for (var id : deliveries.due()) {
      begun |= begin(id, free.computeIfAbsent(id, _ -> new Semaphore(limits.inFlight())));
    }
    return begun;
  }

  private boolean begin(WebhookId id, Semaphore permits) {
    int most = permits.drainPermits();
    int begun = 0;
    try {
      if (most > 0) {
        for (var lane : deliveries.take(id, most, limits.lease())) {
          threads.execute(() -> work(lane, permits));
          begun++;
        }
      }
    } finally {
      permits.release(most - begun);
    }
    return begun > 0;
  }

  private void work(TakenLane lane, Semaphore permits) {
    try {
      var end = clock.instant().plus(LONGEST_TURN);
      int delivered = 0;
      boolean hasNext = true;
      while (hasNext && delivered < IN_A_ROW && clock.instant().isBefore(end)) {
        hasNext = deliverNext(lane);
        delivered++;
      }
      if (hasNext) {
        release(lane);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      if (!stopped) {
        observer.observe(new OperationObservation.RoundFailed(ROUND, e));
      }
    } finally {
      permits.release();
    }
  }

  /** Whether the lane goes on. */
  private boolean deliverNext(TakenLane lane) throws InterruptedException {
    var next = inDatabase(() -> deliveries.next(lane, limits.lease()));
    if (next.isEmpty()) {
      return false;
    }
    var due = next.get();
    var reply = send(due);
    if (stopped) {
      // The reply is that of a sender that is being closed. The lease ends by itself.
      return false;
    }
    var outcome = outcome(due, reply);
    if (!inDatabase(() -> deliveries.note(lane, due.id(), outcome))) {
      release(lane);
      return false;
    }
    observer.observe(new RecordingObservation.WebhookAttempted(outcome));
    if (!(outcome instanceof DeliveryOutcome.Delivered) && isToBeDisabled(due, reply)) {
      disable(due.endpoint());
      release(lane);
      return false;
    }
    return !(outcome instanceof DeliveryOutcome.Failed);
  }

  private Reply send(DueDelivery due) {
    var at = clock.instant();
    var messageId = due.messageId();
    var endpoint = due.endpoint();
    var request =
        new WebhookSender.Request(
            endpoint.url(),
            messageId,
            at,
            endpoint.signatures(messageId, at, due.body()),
            due.body());
    try {
      return sender.send(request);
    } catch (RuntimeException e) {
      // Counted as an attempt, since otherwise the delivery would be attempted for ever.
      if (!stopped) {
        observer.observe(new OperationObservation.RoundFailed(ROUND, e));
      }
      return new Reply.Failed("The request failed with an unexpected error.");
    }
  }

  private DeliveryOutcome outcome(DueDelivery due, Reply reply) {
    return switch (reply) {
      case Reply.Answered(int status, var _) when status >= OK && status < AFTER_OK ->
          new DeliveryOutcome.Delivered(Integer.toString(status));
      case Reply.Answered(int status, var retryAfter) when status == GONE ->
          new DeliveryOutcome.Failed(Integer.toString(status), pause(due, retryAfter));
      case Reply.Answered(int status, var retryAfter) ->
          failed(due, Integer.toString(status), pause(due, retryAfter));
      case Reply.Failed(var reason) -> failed(due, reason, pause(due, null));
    };
  }

  private Duration pause(DueDelivery due, @Nullable Duration wanted) {
    return RetryPauses.after(due.attempts() + 1, due.id().number(), wanted, limits);
  }

  private DeliveryOutcome failed(DueDelivery due, String result, Duration pause) {
    return due.attempts() + 1 >= limits.attempts()
        ? new DeliveryOutcome.GivenUp(result)
        : new DeliveryOutcome.Failed(result, pause);
  }

  /**
   * The delivery must have failed for hours: a webhook that had no events for days is not disabled
   * by one failure.
   */
  private boolean isToBeDisabled(DueDelivery due, Reply reply) {
    if (reply instanceof Reply.Answered(int status, var _) && status == GONE) {
      return true;
    }
    var since = due.endpoint().failingSince();
    var longest = Duration.ofDays(limits.failingDays());
    return since != null
        && since.plus(longest).isBefore(clock.instant())
        && due.attempts() + 1 > limits.attempts() / 2;
  }

  /** Its pending deliveries stay, and are attempted when an operator enables it again. */
  private void disable(WebhookEndpoint endpoint) throws InterruptedException {
    var failed = endpoint.withState(WebhookEndpoint.State.FAILED, clock.instant());
    var change = inDatabase(() -> endpoints.change(endpoint, failed, Actor.WEBHOOKS));
    if (change == WebhookEndpoints.Change.CHANGED) {
      observer.observe(new RecordingObservation.WebhookDisabled(endpoint.id()));
    }
  }

  /** So that others can take it at once. No effect if it is not held any more. */
  private void release(TakenLane lane) throws InterruptedException {
    inDatabase(() -> {
      deliveries.release(lane);
      return true;
    });
  }

  private <T> T inDatabase(Supplier<T> call) throws InterruptedException {
    databaseCalls.acquire();
    try {
      return call.get();
    } finally {
      databaseCalls.release();
    }
  }

  /** Nothing is noted or reported any more. Lanes that are taken are taken over by others. */
  @Override
  public void close() {
    stopped = true;
  }
}
