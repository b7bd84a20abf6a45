package io.firstcome.adapter.redis;

import io.firstcome.domain.port.ServerTime;
import java.time.Instant;

/** The clock of the Redis that is connected now. */
final class RedisTime implements ServerTime {

  private final RedisConnection link;

  RedisTime(RedisConnection link) {
    this.link = link;
  }

  @Override
  public String server() {
    return "Redis";
  }

  @Override
  public Instant ask() {
    return ask(link);
  }

  /** Redis replies with seconds and, separately, microseconds. */
  static Instant ask(RedisConnection link) {
    var time = link.run(commands -> commands.time());
    return Instant.ofEpochSecond(Long.parseLong(time.get(0)), 1_000 * Long.parseLong(time.get(1)));
  }
}
