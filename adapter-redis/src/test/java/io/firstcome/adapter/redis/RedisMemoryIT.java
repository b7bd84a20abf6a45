package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.DevServices;
import io.firstcome.domain.observation.IssuanceObserver;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisMemoryIT {

  @TempDir static Path folder;

  @Test
  void the_limit_of_redis_or_of_its_machine_is_read() {
    try (var services = DevServices.in(folder)) {
      var server = services.redis();
      try (var client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
          var link =
              new RedisConnection(client, Duration.ofSeconds(5), IssuanceObserver.silent())) {
        var memory = new RedisMemory(link);
        assertThat(memory.read().usedBytes()).isBetween(100_000L, 100_000_000L);
        assertThat(memory.read().limitBytes()).isGreaterThan(500_000_000L);

        server.command("CONFIG", "SET", "maxmemory", "50000000");
        assertThat(memory.read().limitBytes()).isEqualTo(50_000_000L);
        assertThat(memory.read().freeBytes()).isLessThan(50_000_000L);
      }
    }
  }
}
