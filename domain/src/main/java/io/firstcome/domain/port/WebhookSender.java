package io.firstcome.domain.port;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sends messages to webhooks by HTTP, to addresses that are allowed only. */
public interface WebhookSender {

  /**
   * Why nothing can be sent to this address, or nothing. What follows the name of the member, as in
   * "must begin with https://".
   */
  Optional<String> fault(URI url);

  /**
   * A request.
   *
   * @param signatures at least one
   */
  record Request(URI url, String messageId, Instant at, List<String> signatures, String body) {}

  /** What came of a request. */
  sealed interface Reply {

    /**
     * The receiver has answered.
     *
     * @param retryAfter how long it wants to have no request, or null if it says nothing
     */
    record Answered(int status, @Nullable Duration retryAfter) implements Reply {}

    /**
     * There was no answer. The receiver may have got the message.
     *
     * @param reason at most 200 characters, for operators
     */
    record Failed(String reason) implements Reply {}
  }

  /** Sends a request, and returns when it is answered or its time is over. */
  Reply send(Request request);
}
