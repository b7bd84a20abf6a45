package io.firstcome.adapter.redis;

import io.firstcome.domain.port.StockServer;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** What the Redis that is connected now uses. */
final class RedisServerUsage implements StockServer {

  private final RedisConnection link;

  RedisServerUsage(RedisConnection link) {
    this.link = link;
  }

  @Override
  public Usage read() {
    var memory = parse(link.run(commands -> commands.info("memory")));
    long limit = number(memory, "maxmemory");
    var processor = parse(link.run(commands -> commands.info("cpu")));
    return new Usage(
        number(memory, "used_memory"),
        limit == 0 ? number(memory, "total_system_memory") : limit,
        time(processor, "used_cpu_sys_main_thread")
            .plus(time(processor, "used_cpu_user_main_thread")));
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

  /** Seconds with fraction; zero before Redis 6.2 and in servers that are compatible with it. */
  private static Duration time(Map<String, String> info, String field) {
    var seconds = new BigDecimal(info.getOrDefault(field, "0").trim());
    return Duration.ofNanos(seconds.movePointRight(9).longValue());
  }
}
