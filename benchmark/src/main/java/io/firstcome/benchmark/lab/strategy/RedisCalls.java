package io.firstcome.benchmark.lab.strategy;

import io.firstcome.adapter.redis.RedisAdapterConfiguration;
import io.firstcome.adapter.redis.RedisLimits;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The Redis client of all strategies: Lettuce with one shared connection, on which the calls of all
 * callers are pipelined, and with the client options of Firstcome, so that no command is sent twice
 * or waits without a timeout.
 */
public final class RedisCalls implements AutoCloseable {

  private static final RedisLimits LIMITS = RedisLimits.defaults();

  private final ClientResources resources;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> shared;

  /** Connects to the Redis of the stores. */
  public RedisCalls(Stores stores) {
    resources =
        ClientResources.builder()
            .reconnectDelay(RedisAdapterConfiguration.reconnectDelay(LIMITS))
            .build();
    client =
        RedisClient.create(
            resources,
            RedisURI.builder()
                .withHost(stores.redis().host())
                .withPort(stores.redis().port())
                .withTimeout(LIMITS.commandTime())
                .build());
    client.setOptions(RedisAdapterConfiguration.clientOptions(LIMITS));
    shared = client.connect();
  }

  /** Calls that wait for the reply, on the shared connection. */
  public RedisCommands<String, String> sync() {
    return shared.sync();
  }

  RedisAsyncCommands<String, String> async() {
    return shared.async();
  }

  /** A separate connection, which {@link #close} ends. */
  StatefulRedisConnection<String, String> connect() {
    return client.connect();
  }

  StatefulRedisPubSubConnection<String, String> connectPubSub() {
    return client.connectPubSub();
  }

  /**
   * Runs a script by its digest, or by its source if the server does not know it yet.
   *
   * @param script replies 1 for won, 2 for already won, 3 for sold out
   */
  public StrategyAnswer decide(Script script, String[] keys, String... args) {
    long reply = run(script, keys, args);
    return switch ((int) reply) {
      case 1 -> StrategyAnswer.WON;
      case 2 -> StrategyAnswer.ALREADY;
      case 3 -> StrategyAnswer.SOLD_OUT;
      default -> throw new IllegalStateException("unknown reply: " + reply);
    };
  }

  private long run(Script script, String[] keys, String... args) {
    try {
      return sync().evalsha(script.sha1, ScriptOutputType.INTEGER, keys, args);
    } catch (RedisNoScriptException e) {
      return sync().eval(script.source, ScriptOutputType.INTEGER, keys, args);
    }
  }

  /** A script from the file of that name in the package of the class. */
  public Script script(Class<?> owner, String name) {
    try (var file = owner.getResourceAsStream(name + ".lua")) {
      if (file == null) {
        throw new IllegalStateException("no script file " + name + ".lua");
      }
      var source = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return new Script(source, sync().digest(source));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One atomic step on the server. */
  public record Script(String source, String sha1) {}

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, LIMITS.commandTime());
    var _ = resources.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
