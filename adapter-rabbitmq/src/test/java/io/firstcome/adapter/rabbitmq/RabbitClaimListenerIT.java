package io.firstcome.adapter.rabbitmq;

import static io.firstcome.adapter.rabbitmq.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.firstcome.contracts.broker.BrokerFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageProperties;

/** The listener on RabbitMQ: when messages are acknowledged, and what happens to the others. */
final class RabbitClaimListenerIT {

  private static final String RECEIVE = "receive claim messages";

  private final AmqpServer server = DevServices.shared().rabbitmq();
  private final List<HandoffEntry> entries = BrokerFixtures.entries(9);
  private final Set<HandoffEntry> recorded = ConcurrentHashMap.newKeySet();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  private RabbitRig listening(ClaimRecorder recorder) {
    return new RabbitRig(server, server.port(), TestLimits.listening(), recorder);
  }

  @Test
  void all_messages_are_recorded_in_batches_and_removed_from_the_queue() {
    var largest = new AtomicInteger();
    List<HandoffEntry> many = BrokerFixtures.entries(300);
    try (var rig =
        listening(batch -> {
          largest.accumulateAndGet(batch.size(), Math::max);
          recorded.addAll(batch);
        })) {
      rig.publisher().publish(many);

      eventually(Set.copyOf(many), () -> Set.copyOf(recorded));
      rig.container().stop();
      assertThat(rig.queue().waiting()).isZero();
      assertThat(largest.get()).isBetween(2, 10);
      assertThat(rig.failedRounds.rounds()).isEmpty();
    }
  }

  @Test
  void a_message_that_arrives_during_a_batch_does_not_wait_for_a_full_batch()
      throws InterruptedException {
    BlockingQueue<HandoffEntry> arrived = new LinkedBlockingQueue<>();
    var release = new CountDownLatch(1);
    try (var rig =
        listening(batch -> {
          arrived.addAll(batch);
          release.await();
        })) {
      rig.publisher().publish(entries.subList(0, 1));
      assertThat(arrived.poll(RabbitRig.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isNotNull();
      rig.publisher().publish(entries.subList(1, 2));

      release.countDown();

      assertThat(arrived.poll(500, TimeUnit.MILLISECONDS)).isEqualTo(entries.get(1));
    }
  }

  @Test
  void a_stop_completes_the_batch_in_progress_and_starts_no_other() {
    var release = new CountDownLatch(1);
    var stopped = new CountDownLatch(1);
    List<HandoffEntry> twoBatches = BrokerFixtures.entries(2 * TestLimits.BATCH);
    try (var rig =
        new RabbitRig(
            server,
            server.port(),
            TestLimits.notListening(),
            batch -> {
              entered.countDown();
              release.await();
              recorded.addAll(batch);
            })) {
      rig.publisher().publish(twoBatches);
      rig.container().start();
      await(entered);

      rig.container().stop(stopped::countDown);
      release.countDown();

      await(stopped);
      long remaining = (long) twoBatches.size() - recorded.size();
      assertThat(recorded).isNotEmpty().hasSizeLessThanOrEqualTo(TestLimits.BATCH);
      eventually(remaining, () -> rig.queue().waiting());
    }
  }

  @Test
  void an_undecodable_message_is_kept_unchanged_and_the_others_are_recorded() {
    try (var rig =
        new RabbitRig(server, server.port(), TestLimits.notListening(), recorded::addAll)) {
      rig.publisher().publish(entries.subList(0, 4));
      byte[] later =
          new MessageSeal(RabbitRig.KEYS).seal("{\"version\": 2}".getBytes(StandardCharsets.UTF_8));
      rig.publishRaw(later);
      rig.publisher().publish(entries.subList(4, 9));

      rig.container().start();

      eventually(Set.copyOf(entries), () -> Set.copyOf(recorded));
      eventually(
          List.of("unknown version: 2: " + new String(later, StandardCharsets.UTF_8)),
          rig.kept::unreadable);
      rig.container().stop();
      assertThat(rig.queue().waiting()).isZero();
      assertThat(rig.failedRounds.rounds()).containsExactly("decode a claim message");
    }
  }

  @Test
  void an_incomplete_message_is_kept_unchanged_and_the_others_are_recorded() {
    try (var rig = new RabbitRig(server, server.port(), TestLimits.sharing(), recorded::addAll)) {
      rig.publisher().publish(entries.subList(0, 4));
      rig.publishRaw(
          new byte[] {0, 0, 0, 7, '?'},
          Map.of(
              MessageProperties.SPRING_BATCH_FORMAT,
              MessageProperties.BATCH_FORMAT_LENGTH_HEADER4));
      rig.publisher().publish(entries.subList(4, 9));

      rig.container().start();

      eventually(Set.copyOf(entries), () -> Set.copyOf(recorded));
      eventually(List.of("malformed batch of entries: \0\0\0\7?"), rig.kept::unreadable);
      rig.container().stop();
      assertThat(rig.queue().waiting()).isZero();
    }
  }

  @Test
  void an_undecodable_message_stays_in_the_queue_until_it_is_kept() {
    try (var rig =
        new RabbitRig(server, server.port(), TestLimits.notListening(), recorded::addAll)) {
      rig.publishRaw("?".getBytes(StandardCharsets.UTF_8));
      rig.kept.refuseNext(1);

      rig.container().start();

      eventually(List.of("not authenticated: ?"), rig.kept::unreadable);
      assertThat(rig.failedRounds.rounds()).contains("keep an undecodable message");
    }
  }

  @Test
  void messages_in_progress_are_requeued_when_the_listener_is_stopped() {
    try (var rig = listening(this::blockForever)) {
      rig.publisher().publish(entries);
      await(entered);

      rig.container().stop();

      await(interrupted);
      eventually(9L, () -> rig.queue().waiting());
      assertThat(rig.failedRounds.rounds()).isEmpty();
    }
  }

  @Test
  void messages_in_progress_are_not_acknowledged_before_the_recorder_returns() {
    var release = new CountDownLatch(1);
    try (var rig =
        listening(batch -> {
          entered.countDown();
          release.await();
          recorded.addAll(batch);
        })) {
      rig.publisher().publish(entries);
      await(entered);

      rig.cutConnections();
      release.countDown();

      // The messages in progress are redelivered, because the acknowledgement came too late.
      eventually(Set.copyOf(entries), () -> Set.copyOf(recorded));
      eventually(true, () -> rig.failedRounds.rounds().contains("acknowledge claim messages"));
      eventually(0L, () -> rig.queue().waiting());
    }
  }

  @Test
  void a_message_that_always_fails_becomes_a_dead_letter_and_the_others_are_recorded() {
    HandoffEntry failing = entries.get(4);
    var attempts = new AtomicInteger();
    try (var rig =
        new RabbitRig(
            server,
            server.port(),
            TestLimits.notListening(),
            batch -> {
              if (batch.contains(failing)) {
                attempts.incrementAndGet();
                throw new IllegalStateException("a bug");
              }
              recorded.addAll(batch);
            })) {
      rig.publisher().publish(entries);
      rig.container().start();

      GetResponse dead =
          Objects.requireNonNull(RabbitRig.get(rig.channel(), rig.names.deadLetters()));
      assertThat(dead.getBody())
          .isEqualTo(
              new ClaimMessages(RabbitRig.KEYS).write(List.of(failing), 1).getFirst().getBody());
      assertThat(recorded).hasSize(8).doesNotContain(failing);
      // Each delivery is tried once in its batch, and then alone if the batch has other messages.
      assertThat(attempts.get()).isLessThanOrEqualTo(2 * (1 + TestLimits.DELIVERY_LIMIT));
    }
  }

  /** By default the container ends the whole process for an {@link Error}. */
  @Test
  void an_error_is_handled_like_an_exception() {
    var attempts = new AtomicInteger();
    try (var rig =
        new RabbitRig(
            server,
            server.port(),
            TestLimits.notListening(),
            batch -> {
              if (attempts.getAndIncrement() < 2) {
                throw new NoClassDefFoundError("of a deleted jar");
              }
              recorded.addAll(batch);
            })) {
      rig.publisher().publish(List.of(entries.getFirst()));
      rig.container().setJavaLangErrorHandler(error -> {});
      rig.container().start();

      eventually(1, recorded::size);
    }
  }

  @Test
  void entries_that_are_published_together_share_messages() {
    List<HandoffEntry> many = BrokerFixtures.entries(300);
    try (var rig = new RabbitRig(server, server.port(), TestLimits.sharing(), recorded::addAll)) {
      rig.publisher().publish(many);
      assertThat(rig.queue().waiting()).isBetween(1L, 9L);

      rig.container().start();

      eventually(Set.copyOf(many), () -> Set.copyOf(recorded));
      rig.container().stop();
      assertThat(rig.queue().waiting()).isZero();
    }
  }

  @Test
  void a_shared_message_with_a_failing_entry_is_a_dead_letter_and_its_other_entries_are_recorded() {
    HandoffEntry failing = entries.get(4);
    try (var rig =
        new RabbitRig(
            server,
            server.port(),
            TestLimits.sharing(),
            batch -> {
              if (batch.contains(failing)) {
                throw new IllegalStateException("a bug");
              }
              recorded.addAll(batch);
            })) {
      rig.publisher().publish(entries);
      rig.container().start();

      rig.deadLetterContainer().start();

      eventually(8, recorded::size);
      eventually(Set.copyOf(entries), () -> Set.copyOf(rig.kept.undelivered()));
      rig.container().stop();
      assertThat(rig.queue().waiting()).isZero();
      assertThat(recorded).doesNotContain(failing);
    }
  }

  @Test
  void a_dead_letter_stays_in_its_queue_until_it_is_kept() {
    HandoffEntry failing = entries.get(4);
    try (var rig =
        new RabbitRig(
            server,
            server.port(),
            TestLimits.notListening(),
            batch -> {
              throw new IllegalStateException("a bug");
            })) {
      rig.publisher().publish(List.of(failing));
      rig.kept.refuseNext(2);
      rig.container().start();
      rig.deadLetterContainer().start();

      eventually(List.of(failing), rig.kept::undelivered);
      rig.container().stop();
      rig.deadLetterContainer().stop();
      assertThat(RabbitRig.isEmpty(rig.channel(), rig.names.deadLetters())).isTrue();
    }
  }

  @Test
  void a_deleted_queue_is_declared_again_and_consumed() throws IOException {
    try (var rig = listening(recorded::addAll)) {
      rig.publisher().publish(entries.subList(0, 1));
      eventually(1, recorded::size);

      rig.outside().queueDelete(rig.names.claims());

      eventually(true, () -> isPublished(rig, entries));
      eventually(Set.copyOf(entries), () -> Set.copyOf(recorded));
    }
  }

  @Test
  void messages_are_received_again_if_the_broker_has_ended_the_consumer_silently()
      throws IOException {
    try (var rig =
        new RabbitRig(server, server.port(), TestLimits.notListening(), recorded::addAll)) {
      rig.ignoreCancellations();
      rig.container().start();
      rig.publisher().publish(entries.subList(0, 1));
      eventually(1, recorded::size);
      rig.outside().queueDelete(rig.names.claims());
      eventually(true, () -> isPublished(rig, entries));
      eventually(true, () -> rig.queue().waiting() > 0);

      rig.deliveries().resumeIfStalled();
      assertThat(rig.failedRounds.rounds()).doesNotContain(RECEIVE);
      rig.deliveries().resumeIfStalled();

      eventually(Set.copyOf(entries), () -> Set.copyOf(recorded));
      assertThat(rig.failedRounds.rounds()).contains(RECEIVE);
    }
  }

  @Test
  void the_connection_stays_while_messages_wait_for_a_busy_recorder() {
    List<HandoffEntry> many = BrokerFixtures.entries(5 * TestLimits.BATCH);
    try (var rig = listening(this::blockForever)) {
      rig.publisher().publish(many);
      await(entered);
      eventually(true, () -> rig.queue().waiting() > 0);

      rig.deliveries().resumeIfStalled();
      rig.deliveries().resumeIfStalled();

      assertThat(rig.failedRounds.rounds()).doesNotContain(RECEIVE);
    }
  }

  @Test
  void the_adapter_starts_without_a_broker_and_works_once_the_broker_is_reachable() {
    try (var rig =
        new RabbitRig(server, ClosedPort.find(), TestLimits.listening(), recorded::addAll)) {
      assertThat(isPublished(rig, entries)).isFalse();

      rig.connectTo(server.port());
      rig.publisher().publish(entries);

      eventually(Set.copyOf(entries), () -> Set.copyOf(recorded));
    }
  }

  static boolean isPublished(RabbitRig rig, List<HandoffEntry> entries) {
    try {
      rig.publisher().publish(entries);
      return true;
    } catch (BrokerUnavailableException e) {
      return false;
    }
  }

  private void blockForever(List<HandoffEntry> batch) throws InterruptedException {
    entered.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }

  private static void await(CountDownLatch latch) {
    eventually(0L, latch::getCount);
  }
}
