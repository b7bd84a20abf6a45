package io.firstcome.domain.webhook;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A webhook: where events are delivered, and how they are signed.
 *
 * @param previous the secret before the latest rotation, or null
 * @param revision counts the changes, from 1
 * @param failingSince when the first attempt since the latest success failed, or null
 */
public record WebhookEndpoint(
    WebhookId id,
    URI url,
    State state,
    WebhookSecret secret,
    @Nullable Previous previous,
    int revision,
    Instant createdAt,
    Instant changedAt,
    @Nullable Instant failingSince) {

  /** Whether events are delivered to it. */
  public enum State {
    ENABLED,
    /** By an operator. */
    DISABLED,
    /** By the service: no delivery has succeeded for days, or the receiver has answered 410. */
    FAILED
  }

  /**
   * A secret that was replaced.
   *
   * @param until the first instant at which deliveries are not signed with it any more
   */
  public record Previous(WebhookSecret secret, Instant until) {}

  public WebhookEndpoint {
    if (revision < 1) {
      throw new IllegalArgumentException("revision must be positive: " + revision);
    }
  }

  public boolean isEnabled() {
    return state == State.ENABLED;
  }

  /** With another address. The new one has not failed yet. */
  public WebhookEndpoint withUrl(URI other, Instant at) {
    return new WebhookEndpoint(
        id, other, state, secret, previous, revision + 1, createdAt, at, null);
  }

  /** In another state. When it is enabled again, it has not failed yet. */
  public WebhookEndpoint withState(State other, Instant at) {
    return new WebhookEndpoint(
        id,
        url,
        other,
        secret,
        previous,
        revision + 1,
        createdAt,
        at,
        other == State.ENABLED ? null : failingSince);
  }

  /**
   * With another secret.
   *
   * @param until when the present one ends
   */
  public WebhookEndpoint withSecret(WebhookSecret other, Instant until, Instant at) {
    return new WebhookEndpoint(
        id,
        url,
        state,
        other,
        new Previous(secret, until),
        revision + 1,
        createdAt,
        at,
        failingSince);
  }

  /** The signatures of a message: one of each secret that is in use. */
  public List<String> signatures(String messageId, Instant at, String body) {
    var old =
        previous != null && at.isBefore(previous.until())
            ? Stream.of(previous.secret())
            : Stream.<WebhookSecret>empty();
    return Stream.concat(Stream.of(secret), old)
        .map(each -> each.sign(messageId, at, body))
        .toList();
  }
}
