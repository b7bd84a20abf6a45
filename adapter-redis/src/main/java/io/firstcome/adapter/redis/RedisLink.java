package io.firstcome.adapter.redis;

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
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private final ReentrantLock connecting = new ReentrantLock();
  private volatile @Nullable StatefulRedisConnection<String, String> connection;

  /**
   * @param commandTime how long the answer to a call is waited for
   * @param leavesSilentServers whether a server that does not answer in time is left for the one
   *     that the next connection leads to, as under Sentinel, which may have replaced it. A server
   *     that hangs or is cut off keeps its connections, so nothing else would end them
   */
  RedisLink(RedisClient client, Duration commandTime, boolean leavesSilentServers) {
    this.client = client;
    this.commandTime = commandTime;
    this.leavesSilentServers = leavesSilentServers;
  }

  /** Connects unless that was done before; blocks for as long as that may take. */
  void connect() {
    var _ = connected();
  }

  /** Sends the script, and fails at once where there is no connection. */
  CompletionStage<List<Object>> send(LuaScript script, String[] keys, String... args) {
    return send(commands -> commands.evalsha(script.sha1(), ScriptOutputType.MULTI, keys, args));
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
    loadScripts();
    return checked(await(send(script, keys, args)));
  }

  /** The reply, if it is not FENCED. */
  static List<Object> checked(List<Object> reply) {
    if ("FENCED".equals(reply.getFirst())) {
      throw new StockFencedException("the stock is not open in the caller's epoch");
    }
    return reply;
  }

  /** Gives the server all scripts. */
  void loadScripts() {
    for (var script : LuaScript.values()) {
      var _ = run(commands -> commands.scriptLoad(script.source()));
    }
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
