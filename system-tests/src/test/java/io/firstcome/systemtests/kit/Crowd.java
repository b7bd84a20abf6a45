package io.firstcome.systemtests.kit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many concurrent users who claim one coupon, each until the answer is final, over a bounded number
 * of connections. With several instances the connections are distributed, and a user without an
 * answer from one instance retries at the next one, as behind a load balancer.
 */
public final class Crowd {

  private static final int CONNECTIONS_MAX = 128;

  /** Below the usual backlog of a listening socket, so that no connect is dropped and delayed. */
  private static final int CONNECTING_MAX = 32;

  private static final Duration RETRY_PAUSE = Duration.ofMillis(100);

  /** The longest time that a user retries; every fault in these tests heals sooner. */
  private static final Duration PATIENCE = Patience.within(Duration.ofMinutes(2));

  private final RequestRecord record;
  private final String couponId;
  private final List<String> users;
  private final List<Integer> ports;
  private final Duration patience;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger end;
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger settled = new AtomicInteger();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();
  private final Semaphore connecting = new Semaphore(CONNECTING_MAX);
  private final CountDownLatch connected;
  private final CountDownLatch done;

  private Crowd(
      RequestRecord record,
      String couponId,
      List<String> users,
      List<Integer> ports,
      Duration patience) {
    this.record = record;
    this.couponId = couponId;
    this.users = List.copyOf(users);
    this.end = new AtomicInteger(users.size());
    this.ports = List.copyOf(ports);
    this.patience = patience;
    int workers = Math.min(CONNECTIONS_MAX, users.size());
    this.connected = new CountDownLatch(workers);
    this.done = new CountDownLatch(workers);
  }

  /** Starts the users, who connect before the first one claims, and returns immediately. */
  static Crowd start(
      RequestRecord record, String couponId, List<String> users, List<Integer> ports) {
    return started(new Crowd(record, couponId, users, ports, PATIENCE));
  }

  /** The same without retries, whatever the answer is. */
  static Crowd startOnce(
      RequestRecord record, String couponId, List<String> users, List<Integer> ports) {
    return started(new Crowd(record, couponId, users, ports, Duration.ZERO));
  }

  private static Crowd started(Crowd crowd) {
    for (int i = 0; i < crowd.done.getCount(); i++) {
      int first = i;
      Thread.ofVirtual().start(() -> crowd.work(first));
    }
    return crowd;
  }

  private void work(int firstPort) {
    try (Balanced claimant = new Balanced(firstPort)) {
      connecting.acquire();
      claimant.current().tryToConnect();
      connecting.release();
      connected.countDown();
      connected.await();
      for (int i = next.getAndIncrement(); i < end.get(); i = next.getAndIncrement()) {
        begun.incrementAndGet();
        if (settle(claimant, users.get(i))) {
          settled.incrementAndGet();
        } else if (!patience.isZero()) {
          // Later users would fail too, each after the same time.
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      done.countDown();
    }
  }

  private boolean settle(Balanced claimant, String user) {
    long begin = System.nanoTime();
    while (true) {
      mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
      Optional<RecordedClaim> claim = claimant.claim(user);
      inFlight.decrementAndGet();
      if (claim.isPresent() && claim.get().isSettled()) {
        return true;
      }
      if (System.nanoTime() - begin > patience.toNanos()) {
        return false;
      }
      Await.pause(RETRY_PAUSE);
    }
  }

  /** One connection at a time; after a request without an answer it goes to the next instance. */
  private final class Balanced implements AutoCloseable {

    private int place;
    private Claimant current;

    Balanced(int place) {
      this.place = place;
      this.current = claimant();
    }

    private Claimant claimant() {
      return new Claimant(ports.get(place % ports.size()), record);
    }

    Claimant current() {
      return current;
    }

    Optional<RecordedClaim> claim(String user) {
      Optional<RecordedClaim> claim = current.claim(couponId, user);
      if (claim.isEmpty()) {
        current.close();
        place++;
        current = claimant();
      }
      return claim;
    }

    @Override
    public void close() {
      current.close();
    }
  }

  /** Waits until that many users have their final answer. */
  public Crowd awaitMidBurst(int answers) {
    Await.until(PATIENCE, answers + " final answers", () -> settled.get() >= answers);
    return this;
  }

  /** The number of users who have their final answer. */
  public int answered() {
    return settled.get();
  }

  /** Requests that are sent and not yet answered. */
  public int inFlight() {
    return inFlight.get();
  }

  /** The maximum of {@link #inFlight()} so far. */
  int mostInFlight() {
    return mostInFlight.get();
  }

  /** Ends the crowd after that many users have started to claim. */
  public Crowd endsAfter(int count) {
    end.set(count);
    return this;
  }

  /** Waits until every user has a final answer. */
  public void join() {
    awaitEnd();
    int all = Math.max(begun.get(), end.get());
    if (settled.get() < all) {
      throw new AssertionError("%d of %d users have a final answer".formatted(settled.get(), all));
    }
  }

  /** Waits until no user claims any more. */
  public void awaitEnd() {
    try {
      if (!done.await(3 * PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("users are still claiming");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a crowd", e);
    }
  }
}
