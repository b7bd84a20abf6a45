package io.firstcome.domain.port;

import io.firstcome.domain.webhook.WebhookSecret;

/** Creates secrets that nobody can guess. */
public interface SecretSource {

  WebhookSecret next();
}
