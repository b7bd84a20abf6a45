package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Says when enough replicas have all that the server has answered so far.
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
  private final RedisLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private List<Question> waiting = new ArrayList<>();
  private boolean underWay;

  /**
   * @param link carries these rounds and nothing else
   */
  ReplicaCopies(RedisLink link, RedisLimits limits) {
    this.link = link;
    this.limits = limits;
  }

  private record Fence(Partition partition, Epoch epoch) {

    String[] keys() {
      return new String[] {RedisKeys.fence(partition)};
    }
  }

  private record Question(Fence fence, CompletableFuture<Boolean> answer) {}

  /** Connects, unless no replicas are waited for: rounds must not wait for that. */
  void connect() {
    if (limits.replicas() > 0) {
      link.connect();
    }
  }

  void leaveSilentServer() {
    link.leaveSilentServer();
  }

  /**
   * Completes when enough replicas have what the server had answered in that epoch before the call;
   * at once where none are waited for. Otherwise it fails with a {@link StockUnavailableException}
   * of {@link Effect#UNKNOWN}.
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
    Round round;
    try {
      round = new Round(questions.stream().map(Question::fence).distinct().toList());
    } catch (RuntimeException | Error e) {
      // Whatever it is: a round that stayed under way would be the last one.
      end(questions, null, e);
      return;
    }
    var _ = round.ended().whenComplete((nothing, failure) -> end(questions, round, failure));
  }

  private void end(List<Question> questions, @Nullable Round round, @Nullable Throwable failure) {
    lock.lock();
    try {
      underWay = false;
    } finally {
      lock.unlock();
    }
    beginUnlessUnderWay();
    for (var question : questions) {
      if (failure == null && round != null && round.covers(question.fence())) {
        question.answer().complete(true);
      } else {
        question
            .answer()
            .completeExceptionally(unknown("not enough replicas are known to have it", failure));
      }
    }
  }

  private static StockUnavailableException unknown(String message, @Nullable Throwable cause) {
    return new StockUnavailableException(Effect.UNKNOWN, message, cause);
  }

  /** One pipeline of calls: who we are, a write in each partition, WAIT, and the same looked at. */
  private final class Round {

    private final Map<Fence, CompletableFuture<List<Object>>> writes = new HashMap<>();
    private final Map<Fence, CompletableFuture<List<Object>>> checks = new HashMap<>();
    private final CompletableFuture<Long> connectionBefore;
    private final CompletableFuture<Long> acknowledged;
    private final CompletableFuture<Long> connectionAfter;

    Round(List<Fence> fences) {
      connectionBefore = link.send(commands -> commands.clientId()).toCompletableFuture();
      for (var fence : fences) {
        writes.put(
            fence,
            link.send(LuaScript.REPLICATE, fence.keys(), fence.epoch().toString())
                .toCompletableFuture());
      }
      acknowledged =
          link.send(commands ->
                  commands.waitForReplication(limits.replicas(), limits.replicaTime().toMillis()))
              .toCompletableFuture();
      for (var fence : fences) {
        checks.put(fence, link.send(LuaScript.FENCE, fence.keys()).toCompletableFuture());
      }
      connectionAfter = link.send(commands -> commands.clientId()).toCompletableFuture();
    }

    CompletableFuture<Void> ended() {
      var all = new ArrayList<CompletableFuture<?>>();
      all.add(connectionBefore);
      all.addAll(writes.values());
      all.add(acknowledged);
      all.addAll(checks.values());
      all.add(connectionAfter);
      return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    /** To be asked when all has ended well. */
    boolean covers(Fence fence) {
      return acknowledged.join() >= limits.replicas()
          && connectionBefore.join().equals(connectionAfter.join())
          && reply(writes, fence).getFirst().equals("OK")
          && isSame(fence, reply(checks, fence));
    }

    private static List<Object> reply(
        Map<Fence, CompletableFuture<List<Object>>> replies, Fence fence) {
      return Objects.requireNonNull(replies.get(fence)).join();
    }

    /** The reply of fence.lua has no epoch where the fence is missing. */
    private static boolean isSame(Fence fence, List<Object> reply) {
      return reply.size() > 2
          && reply.get(3).equals(fence.epoch().toString())
          && reply.get(4).equals(1L);
    }
  }
}
