package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.lab.strategy.RedisCalls.Script;
import java.util.List;
import java.util.stream.Stream;

/** A counter and a set of users in Redis, both read and changed by one Lua script per claim. */
public final class CounterAndSet {

  private static final String USERS = "lab:users";
  private static final String GIVEN = "lab:given";

  private final RedisCalls redis;
  private final Script script;
  private final String[] keys;
  private final String quantity;

  /** With the script that changes only the counter and the set. */
  public CounterAndSet(RedisCalls redis, int quantity) {
    this(redis, "counter_and_set", quantity);
  }

  /**
   * @param script file name without extension
   * @param moreKeys keys of the script after the set and the counter
   */
  CounterAndSet(RedisCalls redis, String script, int quantity, String... moreKeys) {
    this.redis = redis;
    this.script = redis.script(CounterAndSet.class, script);
    this.keys =
        Stream.concat(Stream.of(USERS, GIVEN), List.of(moreKeys).stream()).toArray(String[]::new);
    this.quantity = Integer.toString(quantity);
  }

  /** Decides one claim. */
  public StrategyAnswer claim(String user) {
    return redis.decide(script, keys, user, quantity);
  }
}
