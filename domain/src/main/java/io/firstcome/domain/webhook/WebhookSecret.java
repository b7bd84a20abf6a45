package io.firstcome.domain.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of a webhook's signatures.
 *
 * @param text {@code whsec_} and {@value #FEWEST_BYTES} to {@value #MOST_BYTES} bytes in base 64
 * @see <a
 *     href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">
 *     Standard Webhooks</a>
 */
public record WebhookSecret(String text) {

  /** The length of new ones. */
  public static final int BYTES = 32;

  private static final int FEWEST_BYTES = 24;
  private static final int MOST_BYTES = 64;

  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";

  public WebhookSecret {
    int bytes = text.startsWith(PREFIX) ? bytes(text).length : 0;
    if (bytes < FEWEST_BYTES || bytes > MOST_BYTES) {
      // Without the text, which is secret.
      throw new IllegalArgumentException(
          "a secret must be %s and %d to %d bytes in base 64"
              .formatted(PREFIX, FEWEST_BYTES, MOST_BYTES));
    }
  }

  /** The secret of these bytes. */
  public static WebhookSecret of(byte[] bytes) {
    return new WebhookSecret(PREFIX + Base64.getEncoder().encodeToString(bytes));
  }

  private static byte[] bytes(String text) {
    return Base64.getDecoder().decode(text.substring(PREFIX.length()));
  }

  /**
   * A signature for the header {@code webhook-signature}.
   *
   * @param messageId the header {@code webhook-id}
   * @param at the header {@code webhook-timestamp}, in whole seconds
   */
  public String sign(String messageId, Instant at, String body) {
    var content = "%s.%d.%s".formatted(messageId, at.getEpochSecond(), body);
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(bytes(text), ALGORITHM));
      var code = mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(code);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /** Without the key, which must not be in a log. */
  @Override
  public String toString() {
    return PREFIX + "…";
  }
}
