package io.firstcome.adapter.redis;

import io.firstcome.domain.port.StockMemory;
import java.util.Map;
import java.util.stream.Collectors;

/** The memory of the Redis that is connected now. */
final class RedisMemory implements StockMemory {

  private final RedisConnection link;

  RedisMemory(RedisConnection link) {
    this.link = link;
  }

  @Override
  public Usage read() {
    var info = parse(link.run(commands -> commands.info("memory")));
    long limit = number(info, "maxmemory");
    return new Usage(
        number(info, "used_memory"), limit == 0 ? number(info, "total_system_memory") : limit);
  }

  /** The fields of an answer to INFO. */
  private static Map<String, String> parse(String info) {
    return info.lines()
        .map(line -> line.split(":", 2))
        .filter(field -> field.length == 2)
        .collect(Collectors.toMap(field -> field[0], field -> field[1]));
  }

  private static long number(Map<String, String> info, String field) {
    return Long.parseLong(info.getOrDefault(field, "0"));
  }
}
