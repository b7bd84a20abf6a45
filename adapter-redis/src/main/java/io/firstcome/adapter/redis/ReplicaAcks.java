package io.firstcome.adapter.redis;

import io.firstcome.adapter.redis.ReplicaRound.Fence;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Confirms that every replica that could be promoted has all writes on which the server's replies
 * so far depend.
 *
 * <p>{@code WAIT} waits for the last write of its own connection, and blocks the calls that are
 * pipelined behind it. So it uses a separate connection, after a small write that is later than all
 * writes in question. Requests that arrive during a round share the next one.
 *
 * <p>A round counts only if all of it was on one connection to the server run that processed the
 * claim. After a reconnect {@code WAIT} has no write to wait for and would succeed immediately, on
 * a promoted replica even for writes that it never had. The fence identifies the server run, at the
 * beginning and the end of the round; within one run a connection id is never reused.
 */
final class ReplicaAcks {

  private final RedisConnection link;
  private final PromotableReplicas promotable;
  private final RedisLimits limits;
  private final AtomicInteger lastRequired;
  private final ReentrantLock lock = new ReentrantLock();
  private List<Question> waiting = new ArrayList<>();
  private boolean underWay;

  /**
   * @param link carries only these rounds
   */
  ReplicaAcks(RedisConnection link, PromotableReplicas promotable, RedisLimits limits) {
    this.link = link;
    this.promotable = promotable;
    this.limits = limits;
    this.lastRequired = new AtomicInteger(limits.replicas());
  }

  private record Question(Fence fence, CompletableFuture<Boolean> answer) {}

  /** Connects if claims wait for replicas, because rounds must not wait for a connection. */
  void connect() {
    if (limits.replicas() > 0) {
      link.connect();
    }
  }

  /** See {@link RedisConnection#leaveSilentServer}. */
  void leaveSilentServer(long silentSince) {
    link.leaveSilentServer(silentSince);
  }

  /**
   * Completes when every replica that could be promoted, and at least the configured number, has
   * all writes on which the server's replies in that epoch before this call depend; immediately if
   * that number is 0. Otherwise it fails with a {@link StockUnavailableException} of {@link
   * Effect#UNKNOWN}.
   */
  CompletionStage<Boolean> made(StockAddress address) {
    if (limits.replicas() == 0) {
      return CompletableFuture.completedStage(true);
    }
    var fence = new Fence(address.partition(), address.epoch());
    var answer = new CompletableFuture<Boolean>();
    lock.lock();
    try {
      waiting.add(new Question(fence, answer));
    } finally {
      lock.unlock();
    }
    beginUnlessUnderWay();
    return answer;
  }

  /** Blocks until {@link #made} completes. */
  void awaitMade(StockAddress address) {
    try {
      var _ =
          made(address)
              .toCompletableFuture()
              .get(limits.commandTime().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknown("interrupted while waiting for replicas", e);
    } catch (ExecutionException | TimeoutException e) {
      throw RedisErrors.translate(e);
    }
  }

  private void beginUnlessUnderWay() {
    List<Question> questions;
    lock.lock();
    try {
      if (underWay || waiting.isEmpty()) {
        return;
      }
      underWay = true;
      questions = waiting;
      waiting = new ArrayList<>();
    } finally {
      lock.unlock();
    }
    begin(questions);
  }

  private void begin(List<Question> questions) {
    try {
      var fences = questions.stream().map(Question::fence).distinct().toList();
      var _ =
          new ReplicaRound(link, promotable, limits, lastRequired, fences)
              .covered()
              .whenComplete((covered, failure) -> end(questions, covered, failure));
    } catch (RuntimeException | Error e) {
      // Any failure must end the round, otherwise no other round could begin.
      end(questions, null, e);
    }
  }

  private void end(
      List<Question> questions, @Nullable Set<Fence> covered, @Nullable Throwable failure) {
    lock.lock();
    try {
      underWay = false;
    } finally {
      lock.unlock();
    }
    beginUnlessUnderWay();
    for (var question : questions) {
      if (covered != null && covered.contains(question.fence())) {
        question.answer().complete(true);
      } else {
        question
            .answer()
            .completeExceptionally(
                unknown("not every replica that could be promoted acknowledged in time", failure));
      }
    }
  }

  private static StockUnavailableException unknown(String message, @Nullable Throwable cause) {
    return new StockUnavailableException(Effect.UNKNOWN, message, cause);
  }
}
