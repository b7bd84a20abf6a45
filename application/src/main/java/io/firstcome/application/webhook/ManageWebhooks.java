package io.firstcome.application.webhook;

import io.firstcome.domain.port.EventFormat;
import io.firstcome.domain.port.SecretSource;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.port.WebhookEndpoints.Addition;
import io.firstcome.domain.port.WebhookSender;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookLanes;
import io.firstcome.domain.webhook.WebhookMessage;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Adds, changes and deletes webhooks for operators, and shows them the log of deliveries. */
public final class ManageWebhooks {

  /** Pending deliveries are counted up to this number. */
  public static final int MOST_COUNTED = 10_000;

  private static final int REMOVED_AT_ONCE = 1_000;

  private final WebhookEndpoints endpoints;
  private final WebhookDeliveries deliveries;
  private final WebhookSender sender;
  private final SecretSource secrets;
  private final EventFormat format;
  private final WebhookLimits limits;
  private final InstantSource clock;

  /**
   * @param clock the database's
   */
  public ManageWebhooks(WebhookPorts ports, WebhookLimits limits, InstantSource clock) {
    this.endpoints = ports.endpoints();
    this.deliveries = ports.deliveries();
    this.sender = ports.sender();
    this.secrets = ports.secrets();
    this.format = ports.format();
    this.limits = limits;
    this.clock = clock;
  }

  /** The result of a request. */
  public sealed interface Result {

    /** It is done; the webhook as it is now. */
    record Done(WebhookEndpoint endpoint) implements Result {}

    /**
     * Nothing can be sent to the address.
     *
     * @param fault what follows the name of the member
     */
    record WrongAddress(String fault) implements Result {}

    /** Another webhook has this address. */
    record AddressTaken() implements Result {}

    /**
     * There are as many as there may be.
     *
     * @param max how many that are
     */
    record TooMany(int max) implements Result {}

    /**
     * It has another revision than the one that was read.
     *
     * @param revision the present one
     */
    record Overtaken(int revision) implements Result {}

    /** There is no such webhook. */
    record Unknown() implements Result {}
  }

  /** Adds a webhook, which gets the events that happen from now on. */
  public Result add(URI url, Actor actor) {
    var fault = sender.fault(url);
    if (fault.isPresent()) {
      return new Result.WrongAddress(fault.get());
    }
    return switch (endpoints.add(url, secrets.next(), limits.endpoints(), actor, clock.instant())) {
      case Addition.Added(var endpoint) -> new Result.Done(endpoint);
      case Addition.AddressTaken() -> new Result.AddressTaken();
      case Addition.TooMany() -> new Result.TooMany(limits.endpoints());
    };
  }

  public List<WebhookEndpoint> all() {
    return endpoints.all();
  }

  public Optional<WebhookEndpoint> find(WebhookId id) {
    return endpoints.find(id);
  }

  /**
   * Changes a webhook.
   *
   * @param revision the one that the operator has read
   * @param url the new address, or null for the present one
   * @param isEnabled whether events are delivered, or null for as it is
   */
  public Result change(
      WebhookId id, int revision, @Nullable URI url, @Nullable Boolean isEnabled, Actor actor) {
    if (url != null) {
      var fault = sender.fault(url);
      if (fault.isPresent()) {
        return new Result.WrongAddress(fault.get());
      }
    }
    var at = clock.instant();
    return change(
        id,
        revision,
        before -> {
          var after = url == null ? before : before.withUrl(url, at);
          if (isEnabled != null && isEnabled != after.isEnabled()) {
            after =
                after.withState(
                    isEnabled ? WebhookEndpoint.State.ENABLED : WebhookEndpoint.State.DISABLED, at);
          }
          return after;
        },
        actor);
  }

  /** Gives a webhook another secret. Deliveries are signed with both for a time. */
  public Result rotateSecret(WebhookId id, int revision, Actor actor) {
    var at = clock.instant();
    return change(
        id,
        revision,
        before -> before.withSecret(secrets.next(), at.plus(limits.secretOverlap()), at),
        actor);
  }

  private Result change(
      WebhookId id, int revision, UnaryOperator<WebhookEndpoint> changing, Actor actor) {
    var before = endpoints.find(id).orElse(null);
    if (before == null) {
      return new Result.Unknown();
    }
    if (before.revision() != revision) {
      return new Result.Overtaken(before.revision());
    }
    var after = changing.apply(before);
    if (after.equals(before)) {
      return new Result.Done(before);
    }
    return switch (endpoints.change(before, after, actor)) {
      case CHANGED -> new Result.Done(after);
      case ADDRESS_TAKEN -> new Result.AddressTaken();
      case OVERTAKEN -> overtaken(id);
    };
  }

  private Result overtaken(WebhookId id) {
    return endpoints
        .find(id)
        .<Result>map(now -> new Result.Overtaken(now.revision()))
        .orElseGet(Result.Unknown::new);
  }

  /** Deletes a webhook and its deliveries, also those that are pending. */
  public Result delete(WebhookId id, int revision, Actor actor) {
    var before = endpoints.find(id).orElse(null);
    if (before == null) {
      return new Result.Unknown();
    }
    if (before.revision() != revision || !endpoints.delete(before, actor, clock.instant())) {
      return overtaken(id);
    }
    // If this fails, the rest is removed with its age.
    while (deliveries.removeOf(id, REMOVED_AT_ONCE) == REMOVED_AT_ONCE) {
      // There is more.
    }
    return new Result.Done(before);
  }

  /** Sends an event to test the receiver; empty if there is no such webhook. */
  public Optional<DeliveryId> test(WebhookId id) {
    var message =
        new WebhookMessage(
            WebhookLanes.OF_TESTS, format.testType(), null, 1, format.test(clock.instant()));
    return deliveries.add(id, message);
  }

  /** How many deliveries wait, counted up to {@link #MOST_COUNTED}. */
  public int pending(WebhookId id) {
    return deliveries.pending(id, MOST_COUNTED);
  }

  /**
   * A page of the log, newest first.
   *
   * @param state only those in this state, or null for all
   * @param before the last delivery of the previous page, or null
   */
  public List<WebhookDelivery> page(
      WebhookId id, WebhookDelivery.@Nullable State state, @Nullable DeliveryId before, int max) {
    return deliveries.page(id, state, before, max);
  }

  /** Has a delivery that was given up attempted again; false if there is no such delivery. */
  public boolean replay(WebhookId id, DeliveryId deliveryId, Actor actor) {
    return deliveries.replay(id, deliveryId, actor, clock.instant());
  }
}
