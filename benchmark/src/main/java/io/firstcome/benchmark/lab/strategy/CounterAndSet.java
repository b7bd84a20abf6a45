package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.lab.strategy.RedisCalls.Script;
import java.util.List;
import java.util.stream.Stream;

/** A counter and a set of users in Redis, both read and changed by one Lua script per claim. */
final class CounterAndSet {

  private static final String USERS = "lab:users";
  private static final String GIVEN = "lab:given";

  private final RedisCalls redis;
  private final Script script;
  private final String[] keys;
  private final String quantity;

  /**
   * @param script file name without extension
   * @param moreKeys keys of the script after the set and the counter
   */
  CounterAndSet(RedisCalls redis, String script, int quantity, String... moreKeys) {
    this.redis = redis;
    this.script = redis.script(script);
    this.keys =
        Stream.concat(Stream.of(USERS, GIVEN), List.of(moreKeys).stream()).toArray(String[]::new);
    this.quantity = Integer.toString(quantity);
  }

  StrategyAnswer claim(String user) {
    long reply = redis.run(script, keys, user, quantity);
    return switch ((int) reply) {
      case 1 -> StrategyAnswer.WON;
      case 2 -> StrategyAnswer.ALREADY;
      case 3 -> StrategyAnswer.SOLD_OUT;
      default -> throw new IllegalStateException("unknown reply: " + reply);
    };
  }
}
