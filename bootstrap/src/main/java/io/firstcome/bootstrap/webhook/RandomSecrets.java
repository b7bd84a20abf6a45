package io.firstcome.bootstrap.webhook;

import io.firstcome.domain.port.SecretSource;
import io.firstcome.domain.webhook.WebhookSecret;
import java.security.SecureRandom;
import org.springframework.stereotype.Component;

/** Secrets of random bytes. */
@Component
class RandomSecrets implements SecretSource {

  private final SecureRandom random = new SecureRandom();

  @Override
  public WebhookSecret next() {
    var bytes = new byte[WebhookSecret.BYTES];
    random.nextBytes(bytes);
    return WebhookSecret.of(bytes);
  }
}
