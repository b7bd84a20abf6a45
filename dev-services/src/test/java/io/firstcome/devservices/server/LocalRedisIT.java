package io.firstcome.devservices.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalRedisIT {

  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "appendonly, yes",
    "appendfsync, always",
    "no-appendfsync-on-rewrite, no",
    "maxmemory-policy, noeviction",
    "repl-backlog-ttl, 0",
    "bind, 127.0.0.1",
  })
  void it_runs_with_the_setting(String name, String value) {
    try (DevServices services = DevServices.in(folder)) {
      assertThat(services.redis().command("CONFIG", "GET", name)).isEqualTo(name + "\n" + value);
    }
  }

  @Test
  void it_takes_no_snapshots() {
    try (DevServices services = DevServices.in(folder)) {
      assertThat(services.redis().command("CONFIG", "GET", "save")).isEqualTo("save\n");
    }
  }

  @Test
  void data_and_port_survive_a_restart_a_kill_and_a_kill_from_outside() {
    try (DevServices services = DevServices.in(folder)) {
      RedisServer redis = services.redis();
      int port = redis.port();
      redis.command("SET", "before", "restart");
      redis.restart();
      assertThat(redis.command("GET", "before")).isEqualTo("restart");

      redis.command("SET", "before", "kill");
      long killed = redis.pid();
      redis.kill();
      assertThat(redis.isAlive()).isFalse();
      assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(IllegalStateException.class);
      redis.restart();
      assertThat(redis.pid()).isNotEqualTo(killed);
      assertThat(redis.command("GET", "before")).isEqualTo("kill");

      redis.command("SET", "before", "kill from outside");
      ProcessHandle.of(redis.pid()).orElseThrow().destroyForcibly();
      assertThat(Waiting.until(END_LIMIT, () -> !redis.isAlive())).isTrue();
      redis.restart();
      assertThat(redis.command("GET", "before")).isEqualTo("kill from outside");
      assertThat(redis.port()).isEqualTo(port);
    }
  }

  @Test
  void a_paused_server_answers_only_when_it_goes_on_and_can_be_stopped_as_it_is() {
    try (DevServices services = DevServices.in(folder)) {
      RedisServer redis = services.redis();
      redis.pause();
      var answer = CompletableFuture.supplyAsync(() -> redis.command("PING"));
      assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      redis.resume();
      assertThat(answer).succeedsWithin(END_LIMIT).isEqualTo("PONG");

      redis.pause();
      redis.restart();
      assertThat(redis.command("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void the_next_use_of_a_folder_finds_data_and_port_again() {
    int port;
    try (DevServices services = DevServices.in(folder)) {
      port = services.redis().port();
      services.redis().command("SET", "kept", "yes");
    }
    try (DevServices services = DevServices.in(folder)) {
      assertThat(services.redis().command("GET", "kept")).isEqualTo("yes");
      assertThat(services.redis().port()).isEqualTo(port);
    }
  }
}
