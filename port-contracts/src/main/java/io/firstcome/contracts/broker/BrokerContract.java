package io.firstcome.contracts.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@code ClaimPublisher} and {@code ClaimQueue} for any broker. */
public abstract class BrokerContract {

  private static final int MANY = 300;

  /** The broker of this test, with empty queues. */
  protected abstract BrokerFixture broker();

  @Test
  protected void every_entry_arrives_unchanged() {
    List<HandoffEntry> entries = BrokerFixtures.entries(3);

    broker().publisher().publish(entries);

    assertThat(broker().hold(3)).containsExactlyInAnyOrderElementsOf(entries);
  }

  @Test
  protected void a_large_batch_arrives_whole() {
    List<HandoffEntry> entries = BrokerFixtures.entries(MANY);

    broker().publisher().publish(entries);

    assertThat(broker().hold(MANY)).containsExactlyInAnyOrderElementsOf(entries);
  }

  @Test
  protected void no_entries_produce_no_messages() {
    broker().publisher().publish(List.of());

    assertThat(broker().queue().waiting()).isZero();
  }

  @Test
  protected void an_entry_published_again_is_delivered_again() {
    HandoffEntry entry = BrokerFixtures.entries(1).getFirst();

    broker().publisher().publish(List.of(entry));
    broker().publisher().publish(List.of(entry));

    assertThat(broker().hold(2)).containsExactly(entry, entry);
  }

  @Test
  protected void messages_are_waiting_until_they_are_delivered_to_a_recorder() {
    publishSeparately(5);
    assertThat(broker().queue().waiting()).isEqualTo(5);

    broker().hold(2);
    assertThat(broker().queue().waiting()).isEqualTo(3);

    broker().acknowledgeHeld();
    assertThat(broker().queue().waiting()).isEqualTo(3);
  }

  /** Publishes each entry by a call of its own, so that no two entries share a message. */
  protected final void publishSeparately(int entries) {
    BrokerFixtures.entries(entries).forEach(entry -> broker().publisher().publish(List.of(entry)));
  }

  @Test
  protected void messages_held_by_a_crashed_recorder_are_redelivered() {
    List<HandoffEntry> entries = BrokerFixtures.entries(2);
    broker().publisher().publish(entries);
    broker().hold(2);

    broker().crashHolder();

    assertThat(broker().hold(2)).containsExactlyInAnyOrderElementsOf(entries);
  }

  @Test
  protected void acknowledged_messages_are_not_redelivered() {
    broker().publisher().publish(BrokerFixtures.entries(2));
    broker().hold(2);
    broker().acknowledgeHeld();

    broker().crashHolder();

    assertThat(broker().queue().waiting()).isZero();
  }

  @Test
  protected void an_unroutable_message_is_not_published() {
    broker().publisher().publish(BrokerFixtures.entries(1));
    broker().unroute();

    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().publisher().publish(BrokerFixtures.entries(2)));
  }

  @Test
  protected void an_unreachable_broker_fails_every_call() {
    broker().disconnect();

    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().publisher().publish(BrokerFixtures.entries(1)));
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().queue().waiting());
  }

  @Test
  protected void a_reconnected_broker_has_kept_its_messages_and_accepts_more() {
    List<HandoffEntry> entries = BrokerFixtures.entries(2);
    broker().publisher().publish(entries.subList(0, 1));
    broker().disconnect();
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().publisher().publish(entries.subList(1, 2)));

    broker().reconnect();
    broker().publisher().publish(entries.subList(1, 2));

    assertThat(broker().hold(2)).containsExactlyInAnyOrderElementsOf(entries);
  }
}
