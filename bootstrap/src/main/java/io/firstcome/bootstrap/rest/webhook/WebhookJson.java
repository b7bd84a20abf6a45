package io.firstcome.bootstrap.rest.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookEndpoint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Webhooks and their deliveries as JSON. */
public final class WebhookJson {

  private WebhookJson() {}

  /** A webhook that is to be added. */
  public record Addition(@Nullable String url) {}

  /** An edit that changes the address only. */
  public static Edit address(String url) {
    return new Edit(url, null);
  }

  /** An edit that enables or disables the webhook, and changes nothing else. */
  public static Edit enabled(boolean isEnabled) {
    return new Edit(null, isEnabled);
  }

  /** What is to be changed of a webhook; what is absent stays. */
  public record Edit(@Nullable String url, @Nullable Boolean enabled) {}

  /**
   * A webhook, without its secret.
   *
   * @param pending deliveries that wait, counted up to 10,000
   * @param failingSince when the first attempt since the latest success failed
   * @param previousSecretUntil until when deliveries are also signed with the replaced secret
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record View(
      long webhookId,
      String url,
      String state,
      int pending,
      @Nullable String failingSince,
      @Nullable String previousSecretUntil,
      int revision,
      String createdAt,
      String updatedAt) {

    static View of(WebhookEndpoint endpoint, int pending, Instant now) {
      var failingSince = endpoint.failingSince();
      var previous = endpoint.previous();
      return new View(
          endpoint.id().number(),
          endpoint.url().toString(),
          endpoint.state().name(),
          pending,
          failingSince == null ? null : failingSince.toString(),
          previous == null || !now.isBefore(previous.until()) ? null : previous.until().toString(),
          endpoint.revision(),
          endpoint.createdAt().toString(),
          endpoint.changedAt().toString());
    }
  }

  /** A webhook with its new secret, which is shown this once. */
  public record WithSecret(View webhook, String secret) {}

  /** All webhooks. */
  public record ListJson(List<View> items) {}

  /** A delivery that is to be made. */
  public record Accepted(long deliveryId) {}

  /**
   * A delivery.
   *
   * @param couponId absent if it is a test
   * @param result of the latest attempt: the status of the answer, or why there was none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Delivery(
      long deliveryId,
      String type,
      @Nullable String couponId,
      int events,
      String state,
      int attempts,
      String createdAt,
      @Nullable String attemptedAt,
      @Nullable String result) {

    static Delivery of(WebhookDelivery delivery) {
      var couponId = delivery.couponId();
      var latest = delivery.latest();
      return new Delivery(
          delivery.id().number(),
          delivery.type(),
          couponId == null ? null : couponId.value(),
          delivery.events(),
          delivery.state().name(),
          delivery.attempts(),
          delivery.createdAt().toString(),
          latest == null ? null : latest.at().toString(),
          latest == null ? null : latest.result());
    }
  }

  /**
   * A page of deliveries, newest first.
   *
   * @param next the {@code after} of the next page; absent on the last page
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Page(List<Delivery> items, @Nullable String next) {}
}
