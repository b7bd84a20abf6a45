package io.firstcome.domain.port;

import io.firstcome.domain.webhook.WebhookSecret;

/** Creates secrets that cannot be guessed. */
public interface SecretSource {

  WebhookSecret next();
}
