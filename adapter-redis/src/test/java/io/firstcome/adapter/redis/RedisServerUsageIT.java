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

class RedisServerUsageIT {

  @TempDir static Path folder;

  @Test
  void memory_its_limit_and_the_time_of_the_processor_are_read() {
    try (var services = DevServices.in(folder)) {
      var server = services.redis();
      try (var client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
          var link =
              new RedisConnection(client, Duration.ofSeconds(5), IssuanceObserver.silent())) {
        var usage = new RedisServerUsage(link);
        assertThat(usage.read().usedBytes()).isBetween(100_000L, 100_000_000L);
        assertThat(usage.read().limitBytes()).isGreaterThan(500_000_000L);

        server.command("CONFIG", "SET", "maxmemory", "50000000");
        assertThat(usage.read().limitBytes()).isEqualTo(50_000_000L);
        assertThat(usage.read().freeBytes()).isLessThan(50_000_000L);

        var before = usage.read().processorTime();
        server.command("EVAL", "for i = 1, 10000000 do end", "0");
        assertThat(usage.read().processorTime().minus(before))
            .isBetween(Duration.ofMillis(5), Duration.ofSeconds(5));
      }
    }
  }
}
