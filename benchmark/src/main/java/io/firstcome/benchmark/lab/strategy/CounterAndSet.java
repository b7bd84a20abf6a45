package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.lab.strategy.RedisCalls.Script;
import java.util.List;
import java.util.stream.Stream;

/** A counter and a set of users in Redis, both looked at and changed by one Lua script a claim. */
final class CounterAndSet {

  private static final String USERS = "lab:users";
  private static final String GIVEN = "lab:given";

  private final RedisCalls redis;
  private final Script script;
  private final String[] keys;
  private final String pieces;

  /**
   * @param script file name without ending
   * @param moreKeys that it takes beside the set and the counter
   */
  CounterAndSet(RedisCalls redis, String script, int pieces, String... moreKeys) {
    this.redis = redis;
    this.script = redis.script(script);
    this.keys =
        Stream.concat(Stream.of(USERS, GIVEN), List.of(moreKeys).stream()).toArray(String[]::new);
    this.pieces = Integer.toString(pieces);
  }

  Answer claim(String user) {
    long reply = redis.run(script, keys, user, pieces);
    return switch ((int) reply) {
      case 1 -> Answer.WON;
      case 2 -> Answer.ALREADY;
      case 3 -> Answer.SOLD_OUT;
      default -> throw new IllegalStateException("unknown reply: " + reply);
    };
  }
}
