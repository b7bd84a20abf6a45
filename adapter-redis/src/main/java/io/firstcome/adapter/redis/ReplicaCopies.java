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
 * Says when every replica that could be promoted has all that the server has answered so far.
 *
 * <p>{@code WAIT} waits for the last write of its own connection, and holds up what is pipelined
 * behind it. So it goes over a connection of its own, after a tiny write that comes later than
 * whatever is asked about. What is asked about while a round is under way shares the next one.
 *
 * <p>A round counts only if all of it was on one connection to the run of the server that had taken
 * the claim. Behind a reconnection {@code WAIT} has nothing to wait for and would say yes at once,
 * on a promoted replica of things that it never had. The fence tells the run of the server, at both
 * ends of the round; within one run the number of a connection is never given again.
 */
final class ReplicaCopies {

  private final RedisLink link;
  private final PromotableReplicas promotable;
  private final RedisLimits limits;
  private final AtomicInteger usual;
  private final ReentrantLock lock = new ReentrantLock();
  private List<Question> waiting = new ArrayList<>();
  private boolean underWay;

  /**
   * @param link carries these rounds and nothing else
   */
  ReplicaCopies(RedisLink link, PromotableReplicas promotable, RedisLimits limits) {
    this.link = link;
    this.promotable = promotable;
    this.limits = limits;
    this.usual = new AtomicInteger(limits.replicas());
  }

  private record Question(Fence fence, CompletableFuture<Boolean> answer) {}

  /** Connects, unless no replicas are waited for: rounds must not wait for that. */
  void connect() {
    if (limits.replicas() > 0) {
      link.connect();
    }
  }

  /** See {@link RedisLink#leaveSilentServer}. */
  void leaveSilentServer(long silentSince) {
    link.leaveSilentServer(silentSince);
  }

  /**
   * Completes when every replica that could be promoted, and as many of them as are configured, has
   * what the server had answered in that epoch before the call; at once where none are waited for.
   * Otherwise it fails with a {@link StockUnavailableException} of {@link Effect#UNKNOWN}.
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

  /** The same, waited for. */
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
          new ReplicaRound(link, promotable, limits, usual, fences)
              .covered()
              .whenComplete((covered, failure) -> end(questions, covered, failure));
    } catch (RuntimeException | Error e) {
      // Whatever it is: a round that stayed under way would be the last one.
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
                unknown("not every replica that could be promoted is known to have it", failure));
      }
    }
  }

  private static StockUnavailableException unknown(String message, @Nullable Throwable cause) {
    return new StockUnavailableException(Effect.UNKNOWN, message, cause);
  }
}
