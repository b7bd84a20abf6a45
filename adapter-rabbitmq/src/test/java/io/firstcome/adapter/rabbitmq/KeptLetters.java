package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.handoff.HandoffEntry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An in-memory store for the dead letters of listeners. It can refuse the next ones. */
final class KeptLetters {

  private final List<HandoffEntry> undelivered = new CopyOnWriteArrayList<>();
  private final List<String> unreadable = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();

  void refuseNext(int count) {
    refusals.set(count);
  }

  void keepUndelivered(List<HandoffEntry> entries) {
    refuseIfRequested();
    undelivered.addAll(entries);
  }

  void keepUnreadable(byte[] body, String reason) {
    refuseIfRequested();
    unreadable.add(reason + ": " + new String(body, StandardCharsets.UTF_8));
  }

  List<HandoffEntry> undelivered() {
    return List.copyOf(undelivered);
  }

  /** Each one as reason and body. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  private void refuseIfRequested() {
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("refused");
    }
  }
}
