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
 * One requester may occupy only a part.
 */
final class WaitingPlaces {

  /** One of so many is for one kind alone. */
  private static final int SHARE_OF_KIND = 32;

  /** Far more requests than the pages and apps of one customer send at a time. */
  private static final int MOST_OF_CUSTOMER = 16;

  /** One of so many can be occupied by any other requester, which may send those of customers. */
  private static final int SHARE_OF_OTHERS = 4;

  private final int forEachKind;
  private final int forAllKinds;
  private final int mostOfOthers;
  private final Lock lock = new ReentrantLock();
  private final Map<RequestKind, Integer> ofKind = new EnumMap<>(RequestKind.class);
  private final Map<Waiter, Integer> ofRequester = new HashMap<>();

  /** A request that waits. */
  private record Waiter(RequestKind kind, Requester requester) {}

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
    mostOfOthers = Math.max(1, number / SHARE_OF_OTHERS);
  }

  /**
   * A place for a request, or empty if its kind or its requester has none left.
   *
   * @param requester null if it is not known
   */
  Optional<Place> occupy(RequestKind kind, @Nullable Requester requester) {
    var waiter = requester == null ? null : new Waiter(kind, requester);
    lock.lock();
    try {
      if (!hasPlace(kind) || (waiter != null && !mayWait(waiter))) {
        return Optional.empty();
      }
      ofKind.merge(kind, 1, Integer::sum);
      if (waiter != null) {
        ofRequester.merge(waiter, 1, Integer::sum);
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
        switch (waiter.requester().type()) {
          case CUSTOMER -> MOST_OF_CUSTOMER;
          case SHOP, OPERATOR, ADDRESS -> mostOfOthers;
        };
    return ofRequester.getOrDefault(waiter, 0) < most;
  }

  private void leave(RequestKind kind, @Nullable Waiter waiter) {
    lock.lock();
    try {
      ofKind.merge(kind, -1, Integer::sum);
      if (waiter != null) {
        ofRequester.computeIfPresent(waiter, (_, number) -> number == 1 ? null : number - 1);
      }
    } finally {
      lock.unlock();
    }
  }
}
