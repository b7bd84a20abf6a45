package io.firstcome.adapter.redis;

import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
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
 * One connection to the server, which behind Sentinel is the master it names, made when it is first
 * needed and kept, over which calls are pipelined in the order in which they are made.
 *
 * <p>Lettuce reconnects by itself. While it is disconnected calls are refused, and none is ever
 * sent a second time: the client options see to that.
 */
final class RedisLink implements AutoCloseable {

  private final RedisClient client;
  private final Duration commandTime;
  private final IssuanceObserver observer;
  private final AtomicBoolean loadingScripts = new AtomicBoolean();
  private final ReentrantLock connecting = new ReentrantLock();
  private final AtomicReference<@Nullable StatefulRedisConnection<String, String>> connection =
      new AtomicReference<>();

  /** When the latest call that was answered was sent, by {@link System#nanoTime}. */
  private final AtomicLong answeredUntil = new AtomicLong(System.nanoTime());

  /**
   * @param commandTime how long the answer to a call is waited for
   * @param observer of the loading of scripts
   */
  RedisLink(RedisClient client, Duration commandTime, IssuanceObserver observer) {
    this.client = client;
    this.commandTime = commandTime;
    this.observer = observer;
  }

  /** Connects unless that was done before; blocks for as long as that may take. */
  void connect() {
    var _ = connected();
  }

  /**
   * Sends the script, and fails at once where there is no connection.
   *
   * <p>A server that does not know the script does nothing. It is given all scripts over this
   * connection, so that whatever is sent after such a reply finds them. The call itself is not sent
   * again from here: later calls may be on their way already.
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

  /** Sends the command, and fails at once where there is no connection. */
  <T> CompletionStage<T> send(
      Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
    var current = connection.get();
    if (current == null || !current.isOpen()) {
      throw new StockUnavailableException(Effect.NONE, "not connected to Redis", null);
    }
    return send(command, current);
  }

  /**
   * Calls the script and waits for its reply, which is not FENCED.
   *
   * @throws StockUnavailableException if it was fenced, or nothing is known of it
   */
  List<Object> call(LuaScript script, String[] keys, String... args) {
    connect();
    try {
      return checked(await(send(script, keys, args)));
    } catch (StockUnavailableException e) {
      if (e.getCause() == null || !RedisErrors.isUnknownScript(e.getCause())) {
        throw e;
      }
    }
    // The scripts are ahead of this call on the same connection.
    return checked(await(send(script, keys, args)));
  }

  /** The reply, if it is not FENCED. */
  static List<Object> checked(List<Object> reply) {
    if ("FENCED".equals(reply.getFirst())) {
      throw new StockFencedException("the stock is not open in the caller's epoch");
    }
    return reply;
  }

  /** Sends all scripts, unless they are on their way. Replies come in the order of the calls. */
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
      observer.scriptsLoaded();
    } else {
      observer.roundFailed("loading scripts", RedisErrors.translate(failure));
    }
  }

  /** Asks the server which scripts it knows, gives it the others, and waits for that. */
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
    observer.scriptsLoaded();
  }

  /** Runs a command and waits for its answer. */
  <T> T run(Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command) {
    return await(send(command, connected()));
  }

  private <T> CompletionStage<T> send(
      Function<RedisAsyncCommands<String, String>, RedisFuture<T>> command,
      StatefulRedisConnection<String, String> over) {
    long sent = System.nanoTime();
    return command
        .apply(over.async())
        .whenComplete((reply, failure) -> {
          if (failure == null || RedisErrors.isReply(failure)) {
            answeredUntil.accumulateAndGet(sent, (a, b) -> a - b > 0 ? a : b);
          } else if (RedisErrors.isSilence(failure)) {
            leave(over, sent);
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
   * Ends the connection, unless it has answered a call that was sent later than that; the next
   * {@link #connect} makes another one.
   *
   * @param silentSince by {@link System#nanoTime}
   */
  void leaveSilentServer(long silentSince) {
    leave(connection.get(), silentSince);
  }

  /**
   * Lettuce keeps the connection over a reconnect. So a call that was lost with an earlier socket
   * says nothing about the present one, over which claims may be under way.
   *
   * <p>Takes no lock, as the threads of the client call it too, which a connect waits for.
   */
  private void leave(@Nullable StatefulRedisConnection<String, String> left, long silentSince) {
    boolean answersSince = answeredUntil.get() - silentSince > 0;
    if (left != null && !answersSince && connection.compareAndSet(left, null)) {
      var _ = left.closeAsync();
    }
  }

  private StatefulRedisConnection<String, String> connected() {
    var current = connection.get();
    if (current != null) {
      return current;
    }
    connecting.lock();
    try {
      current = connection.get();
      if (current == null) {
        current = client.connect(StringCodec.ASCII);
        current.setTimeout(commandTime);
        connection.set(current);
      }
      return current;
    } catch (RedisException e) {
      throw new StockUnavailableException(Effect.NONE, "cannot connect to Redis", e);
    } finally {
      connecting.unlock();
    }
  }

  @Override
  public void close() {
    var current = connection.get();
    if (current != null) {
      current.close();
    }
  }
}
