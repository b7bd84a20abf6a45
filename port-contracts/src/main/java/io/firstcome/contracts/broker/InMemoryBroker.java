package io.firstcome.contracts.broker;

import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The in-memory reference implementation of the broker's two ports. It can fail, and lose, repeat
 * and reorder messages, as real brokers do. Thread-safe.
 */
public final class InMemoryBroker implements ClaimPublisher, ClaimQueue {

  private static final int NEVER_FAILS = -1;

  private final List<HandoffEntry> waiting = new ArrayList<>();
  private final Map<Long, HandoffEntry> held = new LinkedHashMap<>();
  private long lastTag;
  private boolean available = true;
  private boolean routed = true;
  private int takenBeforeFailure = NEVER_FAILS;

  /**
   * A delivered message that is unacknowledged.
   *
   * @param tag identifies this delivery; a redelivery of the same message has another tag
   */
  public record Delivery(long tag, HandoffEntry entry) {}

  @Override
  public synchronized void publish(List<HandoffEntry> entries) {
    requireAvailable();
    if (!routed && !entries.isEmpty()) {
      throw new BrokerUnavailableException("the broker cannot route the messages", null);
    }
    take(entries);
  }

  @Override
  public synchronized long waiting() {
    requireAvailable();
    return waiting.size();
  }

  /** Delivers the oldest waiting messages, up to {@code max}; none while unreachable. */
  public synchronized List<Delivery> deliver(int max) {
    if (!available) {
      return List.of();
    }
    List<HandoffEntry> oldest = waiting.subList(0, Math.min(max, waiting.size()));
    List<Delivery> deliveries = oldest.stream().map(e -> new Delivery(++lastTag, e)).toList();
    oldest.clear();
    deliveries.forEach(d -> held.put(d.tag(), d.entry()));
    return deliveries;
  }

  /** Removes a delivered message; without effect if it was requeued since. */
  public synchronized void acknowledge(Delivery delivery) {
    held.remove(delivery.tag());
  }

  /** Puts a delivered message back to the front of the queue, unless it was acknowledged. */
  public synchronized void giveBack(Delivery delivery) {
    HandoffEntry entry = held.remove(delivery.tag());
    if (entry != null) {
      waiting.addFirst(entry);
    }
  }

  /** Puts back all messages that recorders hold, as when their connections end. */
  public synchronized void giveBackAll() {
    waiting.addAll(0, held.values());
    held.clear();
  }

  /**
   * Makes the broker reachable or not. When it becomes unreachable its connections end, so that
   * held messages are requeued.
   */
  public synchronized void setAvailable(boolean value) {
    available = value;
    if (!value) {
      giveBackAll();
    }
  }

  /** Makes claims routable to the queue, or unroutable as after an operator's mistake. */
  public synchronized void setRouted(boolean value) {
    routed = value;
  }

  /**
   * Makes the next publish call fail after the broker has accepted up to {@code messages} of its
   * messages; if that is all of them, only the confirmation is lost.
   */
  public synchronized void failNextAfter(int messages) {
    if (messages < 0) {
      throw new IllegalArgumentException("messages must not be negative: " + messages);
    }
    takenBeforeFailure = messages;
  }

  /** Loses all messages, as a broker whose disk was wiped. */
  public synchronized void wipe() {
    waiting.clear();
    held.clear();
  }

  /** Adds a copy of every waiting message at the end of the queue. */
  public synchronized void duplicateWaiting() {
    waiting.addAll(List.copyOf(waiting));
  }

  /** Puts the waiting messages into a random order. */
  public synchronized void shuffleWaiting(RandomGenerator random) {
    Collections.shuffle(waiting, random);
  }

  /** The messages that wait, oldest first. */
  public synchronized List<HandoffEntry> waitingEntries() {
    return List.copyOf(waiting);
  }

  /** All messages: those that recorders hold, and those that wait. */
  public synchronized List<HandoffEntry> entries() {
    return Stream.concat(held.values().stream(), waiting.stream()).toList();
  }

  /** How many messages recorders hold. */
  public synchronized int heldCount() {
    return held.size();
  }

  private void requireAvailable() {
    if (!available) {
      throw new BrokerUnavailableException("the broker is not reachable", null);
    }
  }

  private void take(List<HandoffEntry> messages) {
    if (takenBeforeFailure == NEVER_FAILS) {
      waiting.addAll(messages);
      return;
    }
    waiting.addAll(messages.subList(0, Math.min(takenBeforeFailure, messages.size())));
    takenBeforeFailure = NEVER_FAILS;
    throw new BrokerUnavailableException("the broker did not confirm all messages", null);
  }
}
