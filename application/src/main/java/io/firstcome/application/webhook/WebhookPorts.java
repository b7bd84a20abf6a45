package io.firstcome.application.webhook;

import io.firstcome.domain.port.EventFormat;
import io.firstcome.domain.port.SecretSource;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.port.WebhookSender;

/** The ports of webhooks. */
public record WebhookPorts(
    WebhookEndpoints endpoints,
    WebhookDeliveries deliveries,
    WebhookSender sender,
    SecretSource secrets,
    EventFormat format) {}
