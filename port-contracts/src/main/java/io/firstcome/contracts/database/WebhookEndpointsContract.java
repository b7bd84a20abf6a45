package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.port.WebhookEndpoints.Addition;
import io.firstcome.domain.port.WebhookEndpoints.Change;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookEndpoint.State;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookSecret;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What every database does with the webhooks that operators add. */
public abstract class WebhookEndpointsContract extends DatabaseContract {

  private static final int MAX = 3;

  private WebhookEndpoints webhooks() {
    return database().webhooks();
  }

  private static URI url(String name) {
    return URI.create("https://hooks.example/" + name);
  }

  private static WebhookSecret secret(int fill) {
    var bytes = new byte[WebhookSecret.BYTES];
    Arrays.fill(bytes, (byte) fill);
    return WebhookSecret.of(bytes);
  }

  private Addition adding(String name) {
    return webhooks().add(url(name), secret(1), MAX, OPERATOR, ACCEPTED_AT);
  }

  private WebhookEndpoint added(String name) {
    return ((Addition.Added) adding(name)).endpoint();
  }

  @Test
  void a_webhook_is_read_as_it_was_added() {
    var added = added("a");

    assertThat(added)
        .isEqualTo(
            new WebhookEndpoint(
                added.id(),
                url("a"),
                State.ENABLED,
                secret(1),
                null,
                1,
                ACCEPTED_AT,
                ACCEPTED_AT,
                null));
    assertThat(webhooks().find(added.id())).contains(added);
    var second = added("b");
    assertThat(webhooks().all()).containsExactly(added, second);
    assertThat(webhooks().find(new WebhookId(second.id().number() + 1))).isEmpty();
  }

  @Test
  void an_address_is_added_once_and_only_so_many_webhooks_can_be_added() {
    added("a");

    assertThat(adding("a")).isEqualTo(new Addition.AddressTaken());
    added("b");
    added("c");
    assertThat(adding("d")).isEqualTo(new Addition.TooMany());
    assertThat(webhooks().all()).hasSize(MAX);
  }

  @Test
  void of_two_changes_of_one_revision_the_first_is_made() {
    var added = added("a");
    var at = ACCEPTED_AT.plusSeconds(60);
    var rotated = added.withSecret(secret(2), at.plus(Duration.ofHours(1)), at);

    assertThat(webhooks().change(added, rotated, OPERATOR)).isEqualTo(Change.CHANGED);
    assertThat(webhooks().change(added, added.withState(State.DISABLED, at), OPERATOR))
        .isEqualTo(Change.OVERTAKEN);

    assertThat(webhooks().find(added.id())).contains(rotated);
    assertThat(webhooks().delete(added, OPERATOR, at)).isFalse();
    assertThat(webhooks().delete(rotated, OPERATOR, at)).isTrue();
    assertThat(webhooks().all()).isEmpty();
    assertThat(webhooks().change(rotated, rotated.withUrl(url("b"), at), OPERATOR))
        .isEqualTo(Change.OVERTAKEN);
  }

  @Test
  void a_webhook_can_have_another_address_but_not_that_of_another_webhook() {
    var added = added("a");
    added("b");
    var at = ACCEPTED_AT.plusSeconds(60);

    assertThat(webhooks().change(added, added.withUrl(url("b"), at), OPERATOR))
        .isEqualTo(Change.ADDRESS_TAKEN);
    assertThat(webhooks().find(added.id())).contains(added);
    var moved = added.withUrl(url("c"), at);
    assertThat(webhooks().change(added, moved, OPERATOR)).isEqualTo(Change.CHANGED);
    assertThat(webhooks().find(added.id())).contains(moved);
  }
}
