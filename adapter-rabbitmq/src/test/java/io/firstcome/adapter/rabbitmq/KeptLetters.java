package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.issuance.HandoffEntry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The dead letters that listeners have brought, in memory. It can refuse them for a while. */
final class KeptLetters {

  private final List<HandoffEntry> undelivered = new CopyOnWriteArrayList<>();
  private final List<String> unreadable = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();

  void refuseNext(int count) {
    refusals.set(count);
  }

  void keepUndelivered(List<HandoffEntry> entries) {
    mayRefuse();
    undelivered.addAll(entries);
  }

  void keepUnreadable(byte[] body, String reason) {
    mayRefuse();
    unreadable.add(reason + ": " + new String(body, StandardCharsets.UTF_8));
  }

  List<HandoffEntry> undelivered() {
    return List.copyOf(undelivered);
  }

  /** Each with its reason in front. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  private void mayRefuse() {
    if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IllegalStateException("refused");
    }
  }
}
