package io.firstcome.domain.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSecretTest {

  /** The example of the libraries of Standard Webhooks. */
  private static final WebhookSecret PUBLISHED =
      new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  private static final String MESSAGE = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final Instant AT = Instant.ofEpochSecond(1_614_265_330);
  private static final String BODY = "{\"test\": 2432232314}";
  private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  @Test
  void the_published_example_has_the_published_signature() {
    assertThat(PUBLISHED.sign(MESSAGE, AT, BODY)).isEqualTo(SIGNATURE);
  }

  @Test
  void another_message_time_or_body_has_another_signature() {
    assertThat(PUBLISHED.sign("msg_other", AT, BODY)).isNotEqualTo(SIGNATURE);
    assertThat(PUBLISHED.sign(MESSAGE, AT.plusSeconds(1), BODY)).isNotEqualTo(SIGNATURE);
    assertThat(PUBLISHED.sign(MESSAGE, AT, BODY + " ")).isNotEqualTo(SIGNATURE);
  }

  @Test
  void a_secret_is_the_base_64_of_its_bytes_and_is_not_in_its_text_for_logs() {
    var bytes = new byte[WebhookSecret.BYTES];

    assertThat(WebhookSecret.of(bytes).text())
        .isEqualTo("whsec_" + Base64.getEncoder().encodeToString(bytes));
    assertThat(PUBLISHED).asString().doesNotContain("MfKQ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_#"})
  void other_texts_are_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> new WebhookSecret(text));
  }

  @Test
  void deliveries_are_signed_with_the_replaced_secret_too_until_it_ends() {
    var before =
        new WebhookEndpoint(
            new WebhookId(1),
            URI.create("https://hooks.example/"),
            WebhookEndpoint.State.ENABLED,
            PUBLISHED,
            null,
            1,
            AT,
            AT,
            null);
    var other = WebhookSecret.of(new byte[WebhookSecret.BYTES]);
    var rotated = before.withSecret(other, AT.plus(Duration.ofHours(1)), AT);

    assertThat(before.signatures(MESSAGE, AT, BODY)).containsExactly(SIGNATURE);
    assertThat(rotated.signatures(MESSAGE, AT, BODY))
        .containsExactly(other.sign(MESSAGE, AT, BODY), SIGNATURE);
    var end = AT.plus(Duration.ofHours(1));
    assertThat(rotated.signatures(MESSAGE, end, BODY))
        .containsExactly(other.sign(MESSAGE, end, BODY));
  }
}
