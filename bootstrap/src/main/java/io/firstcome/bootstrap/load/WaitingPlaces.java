package io.firstcome.bootstrap.load;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections that requests may occupy while they wait until they can be handled. Each kind has
 * some of them for itself, so that one kind cannot displace another one; the rest is for all kinds.
 * One caller may occupy only a part.
 */
final class WaitingPlaces {

  /** One of so many is for one kind alone. */
  private static final int SHARE_OF_KIND = 32;

  /** Far more requests than the pages and apps of one customer send at a time. */
  private static final int MOST_OF_CUSTOMER = 16;

  /** One of so many can be occupied by a shop, which sends the requests of its customers. */
  private static final int SHARE_OF_SHOP = 4;

  private final int forEachKind;
  private final int forAllKinds;
  private final int mostOfShop;
  private final Lock lock = new ReentrantLock();
  private final Map<RequestKind, Integer> ofKind = new EnumMap<>(RequestKind.class);
  private final Map<Waiter, Integer> ofCaller = new HashMap<>();

  /** A request that waits. */
  private record Waiter(RequestKind kind, String caller) {}

  /** An occupied place. */
  @FunctionalInterface
  interface Place extends AutoCloseable {

    /** Leaves the place. */
    @Override
    void close();
  }

  /**
   * So many places.
   *
   * @param number of requests of all kinds
   * @param kinds that wait
   */
  WaitingPlaces(int number, int kinds) {
    forEachKind = number / SHARE_OF_KIND;
    forAllKinds = number - kinds * forEachKind;
    mostOfShop = Math.max(1, number / SHARE_OF_SHOP);
  }

  /**
   * A place for a request, or empty if its kind or its caller has none left.
   *
   * @param caller the id of the user or the shop, or null if it is not known
   */
  Optional<Place> occupy(RequestKind kind, @Nullable String caller) {
    var waiter = caller == null ? null : new Waiter(kind, caller);
    lock.lock();
    try {
      if (!hasPlace(kind) || (waiter != null && !mayWait(waiter))) {
        return Optional.empty();
      }
      ofKind.merge(kind, 1, Integer::sum);
      if (waiter != null) {
        ofCaller.merge(waiter, 1, Integer::sum);
      }
      return Optional.of(() -> leave(kind, waiter));
    } finally {
      lock.unlock();
    }
  }

  private boolean hasPlace(RequestKind kind) {
    return ofKind.getOrDefault(kind, 0) < forEachKind || beyondTheirOwn() < forAllKinds;
  }

  /** Places of all kinds that are occupied by kinds which have none left for themselves. */
  private int beyondTheirOwn() {
    return ofKind.values().stream().mapToInt(number -> Math.max(0, number - forEachKind)).sum();
  }

  private boolean mayWait(Waiter waiter) {
    int most =
        switch (waiter.kind()) {
          case SHOP, OPERATOR -> mostOfShop;
          default -> MOST_OF_CUSTOMER;
        };
    return ofCaller.getOrDefault(waiter, 0) < most;
  }

  private void leave(RequestKind kind, @Nullable Waiter waiter) {
    lock.lock();
    try {
      ofKind.merge(kind, -1, Integer::sum);
      if (waiter != null) {
        ofCaller.computeIfPresent(waiter, (_, number) -> number == 1 ? null : number - 1);
      }
    } finally {
      lock.unlock();
    }
  }
}
