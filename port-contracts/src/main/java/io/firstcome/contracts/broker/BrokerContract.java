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
  protected void no_entries_are_no_messages() {
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
  protected void messages_wait_until_a_recorder_holds_them() {
    publishApart(5);
    assertThat(broker().queue().waiting()).isEqualTo(5);

    broker().hold(2);
    assertThat(broker().queue().waiting()).isEqualTo(3);

    broker().acknowledgeHeld();
    assertThat(broker().queue().waiting()).isEqualTo(3);
  }

  /** Publishes each entry by a call of its own, so that no two entries share a message. */
  protected final void publishApart(int entries) {
    BrokerFixtures.entries(entries).forEach(entry -> broker().publisher().publish(List.of(entry)));
  }

  @Test
  protected void messages_that_a_crashed_recorder_held_come_back() {
    List<HandoffEntry> entries = BrokerFixtures.entries(2);
    broker().publisher().publish(entries);
    broker().hold(2);

    broker().crashHolder();

    assertThat(broker().hold(2)).containsExactlyInAnyOrderElementsOf(entries);
  }

  @Test
  protected void acknowledged_messages_do_not_come_back() {
    broker().publisher().publish(BrokerFixtures.entries(2));
    broker().hold(2);
    broker().acknowledgeHeld();

    broker().crashHolder();

    assertThat(broker().queue().waiting()).isZero();
  }

  @Test
  protected void a_message_that_no_queue_takes_is_not_published() {
    broker().publisher().publish(BrokerFixtures.entries(1));
    broker().unroute();

    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().publisher().publish(BrokerFixtures.entries(2)));
  }

  @Test
  protected void an_absent_broker_takes_nothing_and_cannot_be_asked() {
    broker().goAway();

    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().publisher().publish(BrokerFixtures.entries(1)));
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().queue().waiting());
  }

  @Test
  protected void a_broker_that_comes_back_kept_what_it_had_and_takes_more() {
    List<HandoffEntry> entries = BrokerFixtures.entries(2);
    broker().publisher().publish(entries.subList(0, 1));
    broker().goAway();
    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker().publisher().publish(entries.subList(1, 2)));

    broker().comeBack();
    broker().publisher().publish(entries.subList(1, 2));

    assertThat(broker().hold(2)).containsExactlyInAnyOrderElementsOf(entries);
  }
}
