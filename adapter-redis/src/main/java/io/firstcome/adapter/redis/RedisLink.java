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
  private final boolean leavesSilentServers;
  private final IssuanceObserver observer;
  private final AtomicBoolean loadingScripts = new AtomicBoolean();
  private final ReentrantLock connecting = new ReentrantLock();
  private volatile @Nullable StatefulRedisConnection<String, String> connection;

  /**
   * @param commandTime how long the answer to a call is waited for
   * @param leavesSilentServers whether a server that does not answer in time is left for the one
   *     that the next connection leads to, as under Sentinel, which may have replaced it. A server
   *     that hangs or is cut off keeps its connections, so nothing else would end them
   * @param observer of the loading of scripts
   */
  RedisLink(
      RedisClient client,
      Duration commandTime,
      boolean leavesSilentServers,
      IssuanceObserver observer) {
    this.client = client;
    this.commandTime = commandTime;
    this.leavesSilentServers = leavesSilentServers;
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
    var current = connection;
    if (current == null || !current.isOpen()) {
      throw new StockUnavailableException(Effect.NONE, "not connected to Redis", null);
    }
    return command.apply(current.async());
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
    return await(command.apply(connected().async()));
  }

  private <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().get(commandTime.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      if (RedisErrors.isSilence(e)) {
        leaveSilentServer();
      }
      throw RedisErrors.translate(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StockUnavailableException(Effect.UNKNOWN, "interrupted while waiting", e);
    }
  }

  /** Ends the connection, if such servers are left; the next {@link #connect} makes another one. */
  void leaveSilentServer() {
    if (!leavesSilentServers) {
      return;
    }
    connecting.lock();
    try {
      var left = connection;
      connection = null;
      if (left != null) {
        var _ = left.closeAsync();
      }
    } finally {
      connecting.unlock();
    }
  }

  private StatefulRedisConnection<String, String> connected() {
    var current = connection;
    if (current != null) {
      return current;
    }
    connecting.lock();
    try {
      if (connection == null) {
        var made = client.connect(StringCodec.ASCII);
        made.setTimeout(commandTime);
        connection = made;
      }
      return connection;
    } catch (RedisException e) {
      throw new StockUnavailableException(Effect.NONE, "cannot connect to Redis", e);
    } finally {
      connecting.unlock();
    }
  }

  @Override
  public void close() {
    var current = connection;
    if (current != null) {
      current.close();
    }
  }
}
