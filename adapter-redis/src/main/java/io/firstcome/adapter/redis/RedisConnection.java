package io.firstcome.adapter.redis;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection to Redis; with Sentinel, to the master that it names. It is opened on first use
 * and kept; calls are pipelined over it in the order in which they are made.
 *
 * <p>Lettuce reconnects automatically. Because of the client options, calls are refused while it is
 * disconnected, and no call is sent twice.
 */
final class RedisConnection implements AutoCloseable {

  private final RedisClient client;
  private final Duration commandTime;
  private final IssuanceObserver observer;
  private final AtomicBoolean loadingScripts = new AtomicBoolean();
  private final AtomicReference<@Nullable StatefulRedisConnection<String, String>> connection =
      new AtomicReference<>();

  private final ReentrantLock connecting = new ReentrantLock();
  private @Nullable Attempt attempt;

  /** When the latest answered call was sent, by {@link System#nanoTime}. */
  private final AtomicLong answeredUntil = new AtomicLong(System.nanoTime());

  /**
   * An attempt to connect, which all callers share that need the connection meanwhile.
   *
   * @param awaited whether requests wait for it; loops always do
   */
  private record Attempt(
      CompletableFuture<StatefulRedisConnection<String, String>> connection, boolean awaited) {}

  /**
   * @param commandTime timeout for the reply to a call
   * @param observer to which the loading of scripts is reported
   */
  RedisConnection(RedisClient client, Duration commandTime, IssuanceObserver observer) {
    this.client = client;
    this.commandTime = commandTime;
    this.observer = observer;
  }

  /**
   * Connects if there is no connection yet; blocks until then. For loops: a request waits only for
   * an attempt that does not follow a failed one.
   *
   * @throws StockUnavailableException if that fails
   */
  void connect() {
    if (connection.get() == null) {
      var _ = await(attempt());
    }
  }

  /**
   * Sends the script; fails immediately if there is no connection.
   *
   * <p>A server that does not know the script does nothing. All scripts are then loaded over this
   * connection, so that calls after such a reply find them. This call is not retried here, because
   * later calls may already be in flight.
   */
  CompletionStage<List<Object>> send(LuaScript script, String[] keys, String... args) {
    CompletionStage<List<Object>> sent =
        send(commands -> commands.evalsha(script.sha1(), ScriptOutputType.MULTI, keys, args));
    return sent.whenComplete((reply, failure) -> {
      if (failure != null && RedisErrors.isUnknownScript(failure)) {
        sendScripts();
      }
    });
  }

  /** Sends the command; fails immediately if there is no connection. */
  <T> CompletionStage<T> send(
      Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
    var current = connection.get();
    if (current == null || !current.isOpen()) {
      throw new StockUnavailableException(Effect.NONE, "not connected to Redis", null);
    }
    return send(command, current);
  }

  /**
   * Calls the script and waits for its reply, which is never FENCED.
   *
   * @throws StockUnavailableException if the call was fenced, failed or timed out
   */
  List<Object> call(LuaScript script, String[] keys, String... args) {
    var _ = connected();
    try {
      return checked(await(send(script, keys, args)));
    } catch (StockUnavailableException e) {
      if (e.getCause() == null || !RedisErrors.isUnknownScript(e.getCause())) {
        throw e;
      }
    }
    // The scripts are loaded before this call on the same connection.
    return checked(await(send(script, keys, args)));
  }

  /**
   * Returns the reply.
   *
   * @throws StockFencedException if the reply is FENCED
   */
  static List<Object> checked(List<Object> reply) {
    if ("FENCED".equals(reply.getFirst())) {
      throw new StockFencedException("the stock is not open in the caller's epoch");
    }
    return reply;
  }

  /** Loads all scripts, unless that is in flight. Replies arrive in the order of the calls. */
  private void sendScripts() {
    if (!loadingScripts.compareAndSet(false, true)) {
      return;
    }
    try {
      var loads =
          Arrays.stream(LuaScript.values())
              .map(script -> send(commands -> commands.scriptLoad(script.source())))
              .map(CompletionStage::toCompletableFuture)
              .toArray(CompletableFuture[]::new);
      var _ =
          CompletableFuture.allOf(loads).whenComplete((nothing, failure) -> sentScripts(failure));
    } catch (StockUnavailableException e) {
      sentScripts(e);
    }
  }

  private void sentScripts(@Nullable Throwable failure) {
    loadingScripts.set(false);
    if (failure == null) {
      observer.observe(new OperationObservation.ScriptsLoaded());
    } else {
      observer.observe(
          new OperationObservation.RoundFailed("loading scripts", RedisErrors.translate(failure)));
    }
  }

  /** Loads the scripts that the server does not know, and waits for the replies. */
  void loadMissingScripts() {
    var scripts = LuaScript.values();
    var digests = Arrays.stream(scripts).map(LuaScript::sha1).toArray(String[]::new);
    var known = run(commands -> commands.scriptExists(digests));
    if (!known.contains(false)) {
      return;
    }
    for (int i = 0; i < scripts.length; i++) {
      if (!known.get(i)) {
        var source = scripts[i].source();
        var _ = run(commands -> commands.scriptLoad(source));
      }
    }
    observer.observe(new OperationObservation.ScriptsLoaded());
  }

  /** Runs a command and waits for its reply. */
  <T> T run(Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
    return await(send(command, connected()));
  }

  private <T> CompletionStage<T> send(
      Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command,
      StatefulRedisConnection<String, String> target) {
    long sent = System.nanoTime();
    return command
        .apply(target.async())
        .whenComplete((reply, failure) -> {
          if (failure == null || RedisErrors.isReply(failure)) {
            answeredUntil.accumulateAndGet(sent, (a, b) -> a - b > 0 ? a : b);
          } else if (RedisErrors.isSilence(failure)) {
            closeIfSilent(target, sent);
          }
        });
  }

  private <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().get(commandTime.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw RedisErrors.translate(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StockUnavailableException(Effect.UNKNOWN, "interrupted while waiting", e);
    }
  }

  /**
   * Closes the connection, unless it has answered a call that was sent after {@code silentSince}.
   * The next {@link #connect} opens another one.
   *
   * @param silentSince by {@link System#nanoTime}
   */
  void leaveSilentServer(long silentSince) {
    closeIfSilent(connection.get(), silentSince);
  }

  /**
   * Closes the connection, unless it has answered a later call. Lettuce keeps the connection object
   * over a reconnect, so a call that was lost with an earlier socket says nothing about the current
   * socket, over which claims may be in flight.
   *
   * <p>Takes no lock: the client's threads call it too.
   */
  private void closeIfSilent(
      @Nullable StatefulRedisConnection<String, String> target, long silentSince) {
    boolean answersSince = answeredUntil.get() - silentSince > 0;
    if (target != null && !answersSince && connection.compareAndSet(target, null)) {
      var _ = target.closeAsync();
    }
  }

  /**
   * The connection. If there is none, callers wait for an attempt to connect. They do not wait for
   * one that follows a failed one: the server is away, and each of many calls would take that long
   * again.
   */
  private StatefulRedisConnection<String, String> connected() {
    var current = connection.get();
    if (current != null) {
      return current;
    }
    var shared = attempt();
    if (!shared.awaited() && !shared.connection().isDone()) {
      throw new StockUnavailableException(Effect.NONE, "not connected to Redis yet", null);
    }
    return await(shared);
  }

  /** Waits for the end of the attempt, which the client's timeouts bound. */
  private static StatefulRedisConnection<String, String> await(Attempt shared) {
    try {
      return shared.connection().get();
    } catch (ExecutionException e) {
      throw new StockUnavailableException(Effect.NONE, "cannot connect to Redis", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StockUnavailableException(Effect.NONE, "interrupted while connecting", e);
    }
  }

  /** The attempt that is under way, or another one. */
  private Attempt attempt() {
    connecting.lock();
    try {
      var present = attempt;
      if (present == null || present.connection().isDone()) {
        boolean afterFailure = present != null && present.connection().isCompletedExceptionally();
        present =
            new Attempt(
                CompletableFuture.supplyAsync(this::open, RedisConnection::startThread),
                !afterFailure);
        attempt = present;
      }
      return present;
    } finally {
      connecting.unlock();
    }
  }

  /** Starts a platform thread: requests may occupy all carriers of virtual threads. */
  private static void startThread(Runnable task) {
    var _ = Thread.ofPlatform().daemon().name("connecting to Redis").start(task);
  }

  /** Opens the connection, unless the attempt before this one did. */
  private StatefulRedisConnection<String, String> open() {
    var current = connection.get();
    if (current == null) {
      current = client.connect(StringCodec.ASCII);
      current.setTimeout(commandTime);
      connection.set(current);
    }
    return current;
  }

  @Override
  public void close() {
    var current = connection.get();
    if (current != null) {
      current.close();
    }
  }
}
