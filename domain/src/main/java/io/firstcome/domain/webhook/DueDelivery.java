package io.firstcome.domain.webhook;

/**
 * The next delivery of a lane.
 *
 * @param endpoint as it is now
 * @param attempts how many were made
 * @param body of the message
 */
public record DueDelivery(DeliveryId id, WebhookEndpoint endpoint, int attempts, String body) {}
