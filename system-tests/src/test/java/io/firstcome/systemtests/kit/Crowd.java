package io.firstcome.systemtests.kit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many users who claim one coupon, each until the answer is final, as fast as a bounded number of
 * connections takes them. With several instances the connections are spread over all.
 */
public final class Crowd {

  private static final int CONNECTIONS_MAX = 128;

  /** Under the usual backlog of a listening socket, so that no connect is dropped and delayed. */
  private static final int CONNECTING_MAX = 32;

  private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

  /** The longest that a user tries; every fault here heals sooner. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RequestRecord record;
  private final String couponId;
  private final List<String> users;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger settled = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Semaphore connecting = new Semaphore(CONNECTING_MAX);
  private final CountDownLatch connected;
  private final CountDownLatch done;

  private Crowd(RequestRecord record, String couponId, List<String> users) {
    this.record = record;
    this.couponId = couponId;
    this.users = List.copyOf(users);
    int workers = Math.min(CONNECTIONS_MAX, users.size());
    this.connected = new CountDownLatch(workers);
    this.done = new CountDownLatch(workers);
  }

  /** Lets all of them connect, then claim, and returns at once. */
  static Crowd start(
      RequestRecord record, String couponId, List<String> users, List<Integer> ports) {
    Crowd crowd = new Crowd(record, couponId, users);
    for (int i = 0; i < crowd.done.getCount(); i++) {
      int port = ports.get(i % ports.size());
      Thread.ofVirtual().start(() -> crowd.work(port));
    }
    return crowd;
  }

  private void work(int port) {
    try (Claimant claimant = new Claimant(port, record)) {
      connecting.acquire();
      claimant.tryToConnect();
      connecting.release();
      connected.countDown();
      connected.await();
      for (int i = next.getAndIncrement(); i < users.size(); i = next.getAndIncrement()) {
        if (settle(claimant, users.get(i))) {
          settled.incrementAndGet();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      done.countDown();
    }
  }

  private boolean settle(Claimant claimant, String user) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      inFlight.incrementAndGet();
      Optional<RecordedClaim> claim = claimant.claim(couponId, user);
      inFlight.decrementAndGet();
      if (claim.isPresent() && claim.get().isSettled()) {
        return true;
      }
      Await.pause(RETRY_PAUSE);
    }
    return false;
  }

  /** Waits until that many users have their final answer, and some still have not. */
  public Crowd awaitMidBurst(int answers) {
    Await.until(PATIENCE, answers + " answers", () -> settled.get() >= answers);
    return this;
  }

  /** Requests sent and not yet answered. */
  public int inFlight() {
    return inFlight.get();
  }

  /** Waits until every user has a final answer. */
  public void join() {
    try {
      boolean ended = done.await(3 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!ended || settled.get() < users.size()) {
        throw new AssertionError(
            "%d of %d users have a final answer".formatted(settled.get(), users.size()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a crowd claims", e);
    }
  }
}
