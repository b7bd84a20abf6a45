package io.firstcome.domain.port;

import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookSecret;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The webhooks that operators have added. Each change has its audit entry. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface WebhookEndpoints {

  /** The result of adding a webhook. */
  sealed interface Addition {

    record Added(WebhookEndpoint endpoint) implements Addition {}

    /** Another webhook has this address. */
    record AddressTaken() implements Addition {}

    /** There are as many as there may be. */
    record TooMany() implements Addition {}
  }

  /** The result of a change. */
  enum Change {
    CHANGED,
    /** It was changed or deleted since it was read; nothing happened. */
    OVERTAKEN,
    /** Another webhook has this address; nothing happened. */
    ADDRESS_TAKEN
  }

  /**
   * Adds an enabled webhook.
   *
   * @param max how many there may be
   */
  Addition add(URI url, WebhookSecret secret, int max, Actor actor, Instant at);

  /** All of them, in the order in which they were added. */
  List<WebhookEndpoint> all();

  Optional<WebhookEndpoint> find(WebhookId id);

  /**
   * Changes a webhook, if it still has the revision that was read. What it failed before is
   * attempted at once if it has another address, or is enabled again.
   */
  Change change(WebhookEndpoint before, WebhookEndpoint after, Actor actor);

  /**
   * Deletes a webhook, if it still has the revision that was read. Its deliveries stay, for {@link
   * WebhookDeliveries#removeOf}.
   *
   * @return false if it was changed or deleted since
   */
  boolean delete(WebhookEndpoint before, Actor actor, Instant at);
}
