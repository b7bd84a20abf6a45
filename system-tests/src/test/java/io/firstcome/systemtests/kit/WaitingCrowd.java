package io.firstcome.systemtests.kit;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Users who join the waiting room of a coupon one after the other, ask where they stand, and claim
 * when they are admitted, each until the answer is final. A user without an answer from one
 * instance asks the next one.
 */
public final class WaitingCrowd {

  /** After a request without an answer. */
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  private static final int SHORTEST_POLL_MILLIS = 400;

  /** All users together ask where they stand two thousand times a second at most. */
  private static final int USERS_PER_POLL_MILLI = 2;

  private static final Duration PATIENCE = Patience.within(Duration.ofMinutes(2));

  private final RequestRecord record;
  private final String couponId;
  private final List<Connections> instances;
  private final int pollMillis;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger joined = new AtomicInteger();
  private final CountDownLatch done;
  private final Map<Integer, String> userByNumber = new ConcurrentHashMap<>();
  private final Set<String> withoutNumber = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> placeByUser = new ConcurrentHashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  private WaitingCrowd(RequestRecord record, String couponId, int users, List<Integer> ports) {
    this.record = record;
    this.couponId = couponId;
    this.instances = ports.stream().map(Connections::new).toList();
    this.pollMillis = Math.max(SHORTEST_POLL_MILLIS, users / USERS_PER_POLL_MILLI);
    this.done = new CountDownLatch(users);
  }

  /**
   * Starts the users, and returns immediately.
   *
   * @param within the time in which all of them come, evenly
   */
  public static WaitingCrowd start(
      World world, String couponId, List<String> users, Duration within, Integer... ports) {
    var crowd = new WaitingCrowd(world.record(), couponId, users.size(), List.of(ports));
    for (int i = 0; i < users.size(); i++) {
      var user = users.get(i);
      int first = i;
      var wait = within.multipliedBy(i).dividedBy(users.size());
      Thread.ofVirtual()
          .start(() -> {
            Await.pause(wait);
            try {
              crowd.new Guest(user, first).run();
            } catch (RuntimeException | Error e) {
              crowd.violations.add(user + ": " + e);
            } finally {
              crowd.done.countDown();
            }
          });
    }
    return crowd;
  }

  /** One user. */
  private final class Guest {

    private final String user;
    private final long end = System.nanoTime() + PATIENCE.toNanos();
    private int instance;

    Guest(String user, int instance) {
      this.user = user;
      this.instance = instance;
    }

    void run() {
      var ticket = join();
      while (ticket != null) {
        var standing = answer(room("GET", "/me").header("X-Ticket: " + ticket));
        if (standing.json().has("place")) {
          placeByUser.put(user, standing.json().path("place").asInt());
        }
        switch (standing.text("state")) {
          case "WAITING" -> {
            if (standing.text("chance").equals("GONE")) {
              return;
            }
            Await.pause(
                Duration.ofMillis(
                    ThreadLocalRandom.current().nextInt(pollMillis / 2, 3 * pollMillis / 2)));
          }
          case "ADMITTED" -> {
            var claim =
                claim(
                    Call.claim(couponId)
                        .as(user)
                        .header("X-Admission: " + standing.text("admission")));
            if (claim.status() != 403) {
              return;
            }
          }
          case "MISSED" -> {
            violations.add(user + " is missed, though admissions last longer than the test");
            return;
          }
          default -> throw new AssertionError(standing);
        }
      }
    }

    private Call room(String method, String path) {
      return Call.of(method, "/api/v1/coupons/" + couponId + "/waiting-room" + path).as(user);
    }

    /**
     * The ticket; null if no slot is left, or if the room has claimed for the user meanwhile, after
     * a join that was not answered.
     */
    private @Nullable String join() {
      var answer = answer(room("POST", ""));
      if (answer.problem().equals("sold-out")) {
        return null;
      }
      if (answer.problem().equals("has-claim")) {
        withoutNumber.add(user);
        claim(Call.claim(couponId).as(user));
        return null;
      }
      if (answer.status() != 200) {
        throw new AssertionError(answer);
      }
      int given = answer.json().path("number").asInt();
      var other = userByNumber.putIfAbsent(given, user);
      if (other != null && !other.equals(user)) {
        violations.add("%d is the number of %s and %s".formatted(given, user, other));
      }
      joined.incrementAndGet();
      return answer.text("ticket");
    }

    private Answer claim(Call call) {
      while (true) {
        long id = record.invoke(couponId, user);
        var answer = exchange(call);
        if (answer != null) {
          record.answered(id, couponId, user, answer);
          if (answer.status() < 500 && answer.status() != 429) {
            return answer;
          }
        }
        pauseOrGiveUp(call, answer);
      }
    }

    private Answer answer(Call call) {
      while (true) {
        var answer = exchange(call);
        if (answer != null && answer.status() < 500 && answer.status() != 429) {
          return answer;
        }
        pauseOrGiveUp(call, answer);
      }
    }

    private void pauseOrGiveUp(Call call, @Nullable Answer last) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError(call + " is not answered; the last answer: " + last);
      }
      Await.pause(last == null ? RETRY_PAUSE : retryAfter(last.header("retry-after")));
    }

    /** As the answer says, and up to a second longer, so that users do not come back together. */
    private static Duration retryAfter(String seconds) {
      return seconds.isEmpty()
          ? RETRY_PAUSE
          : Duration.ofSeconds(Long.parseLong(seconds))
              .plusMillis(ThreadLocalRandom.current().nextInt(1_000));
    }

    private @Nullable Answer exchange(Call call) {
      inFlight.incrementAndGet();
      try {
        return instances.get(instance % instances.size()).exchange(call);
      } catch (IOException e) {
        instance++;
        return null;
      } finally {
        inFlight.decrementAndGet();
      }
    }
  }

  /** Waits until that many users have joined. */
  public WaitingCrowd awaitJoined(int users) {
    Await.until(PATIENCE, users + " users in the room", () -> joined.get() >= users);
    return this;
  }

  /** Requests that are sent and not yet answered. */
  int inFlight() {
    return inFlight.get();
  }

  /** The user of each number that was given. */
  public Map<Integer, String> userByNumber() {
    return Map.copyOf(userByNumber);
  }

  /**
   * The users for whom the room had claimed before they asked for their number again, after a join
   * that was not answered.
   */
  public Set<String> withoutNumber() {
    return Set.copyOf(withoutNumber);
  }

  /** The last place that each user was told, unless the user never had one. */
  public Map<String, Integer> placeByUser() {
    return Map.copyOf(placeByUser);
  }

  /** What must not happen: a number of two users, a user who is missed or never answered. */
  public List<String> violations() {
    return List.copyOf(violations);
  }

  /** Waits until every user has the coupon, or knows that there is none. */
  public void join() {
    try {
      if (!done.await(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("users are still waiting");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a crowd", e);
    } finally {
      instances.forEach(Connections::close);
    }
  }
}
