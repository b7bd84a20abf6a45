package io.firstcome.contracts.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.broker.InMemoryBroker.Delivery;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Faults of the in-memory broker that simulations use. */
final class InMemoryBrokerTest {

  private final InMemoryBroker broker = new InMemoryBroker();
  private final List<HandoffEntry> entries = BrokerFixtures.entries(5);

  @Test
  void a_single_call_can_fail_after_some_messages_were_accepted() {
    broker.failNextAfter(2);

    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker.publish(entries));
    assertThat(broker.waitingEntries()).isEqualTo(entries.subList(0, 2));

    broker.publish(entries.subList(2, 5));
    assertThat(broker.waitingEntries()).isEqualTo(entries);
  }

  @Test
  void a_lost_confirmation_is_an_exception_although_all_messages_are_queued() {
    broker.failNextAfter(entries.size());

    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() -> broker.publish(entries));

    assertThat(broker.waitingEntries()).isEqualTo(entries);
  }

  @Test
  void a_wiped_broker_has_no_messages() {
    broker.publish(entries);
    broker.deliver(2);

    broker.wipe();

    assertThat(broker.waiting()).isZero();
    assertThat(broker.heldCount()).isZero();
  }

  @Test
  void messages_can_be_repeated_and_reordered_but_not_changed() {
    broker.publish(entries);

    broker.duplicateWaiting();
    broker.shuffleWaiting(new SplittableRandom(1));

    assertThat(broker.waitingEntries()).hasSize(10).containsAll(entries);
  }

  @Test
  void a_requeued_message_is_delivered_first_with_another_tag() {
    broker.publish(entries);
    Delivery first = broker.deliver(1).getFirst();

    broker.giveBack(first);

    Delivery again = broker.deliver(1).getFirst();
    assertThat(again.entry()).isEqualTo(first.entry());
    assertThat(again.tag()).isNotEqualTo(first.tag());
  }

  @Test
  void an_old_tag_neither_acknowledges_nor_requeues() {
    broker.publish(entries.subList(0, 1));
    Delivery old = broker.deliver(1).getFirst();
    broker.giveBackAll();
    broker.deliver(1);

    broker.acknowledge(old);
    broker.giveBack(old);

    assertThat(broker.heldCount()).isEqualTo(1);
    assertThat(broker.waiting()).isZero();
  }

  @Test
  void an_unreachable_broker_delivers_nothing_and_requeues_the_messages_of_its_recorders() {
    broker.publish(entries);
    broker.deliver(2);

    broker.setAvailable(false);

    assertThat(broker.deliver(1)).isEmpty();
    broker.setAvailable(true);
    assertThat(broker.waitingEntries()).isEqualTo(entries);
  }
}
