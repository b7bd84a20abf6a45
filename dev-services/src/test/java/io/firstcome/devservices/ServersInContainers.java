package io.firstcome.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.BackingServer;
import io.firstcome.devservices.server.InContainer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servers of the profile docker. Only that profile runs this class. */
class ServersInContainers {

  private static final String QUEUE = "kept";
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  private final DevServices shared = DevServices.shared();

  @Test
  void all_servers_that_tests_get_are_containers(@TempDir Path folder) {
    assertThat(shared.postgres()).isInstanceOf(InContainer.class);
    assertThat(shared.redis()).isInstanceOf(InContainer.class);
    assertThat(shared.rabbitmq()).isInstanceOf(InContainer.class);
    assertThat(shared.amqp()).isSameAs(shared.rabbitmq());
    try (DevServices other = DevServices.in(folder)) {
      assertThat(other.redis()).isInstanceOf(InContainer.class).isNotEqualTo(shared.redis());
    }
  }

  @Test
  void rows_survive_a_restart_and_a_kill() throws SQLException {
    PostgresServer postgres = shared.postgres();
    int port = postgres.port();
    run(postgres, "CREATE TABLE kept AS SELECT 1 AS row");
    postgres.restart();
    run(postgres, "INSERT INTO kept SELECT row + 1 FROM kept");
    killAndRestart(postgres);
    run(postgres, "DO 'BEGIN ASSERT (SELECT count(*) FROM kept) = 2; END'");
    assertThat(postgres.port()).isEqualTo(port);
  }

  @Test
  void keys_survive_a_restart_and_a_kill() {
    RedisServer redis = shared.redis();
    redis.command("SET", "before", "restart");
    redis.restart();
    assertThat(redis.command("GET", "before")).isEqualTo("restart");
    redis.command("SET", "before", "kill");
    killAndRestart(redis);
    assertThat(redis.command("GET", "before")).isEqualTo("kill");
  }

  @Test
  void messages_survive_a_restart_and_a_kill() throws Exception {
    AmqpServer rabbit = shared.rabbitmq();
    try (AmqpSession session = AmqpSession.open(rabbit)) {
      session.declareQuorumQueue(QUEUE);
      session.publish(QUEUE, "message");
    }
    rabbit.restart();
    killAndRestart(rabbit);
    try (AmqpSession session = AmqpSession.open(rabbit)) {
      assertThat(session.take(QUEUE)).contains("message");
    }
  }

  @Test
  void a_paused_server_answers_only_after_it_is_resumed() {
    RedisServer redis = shared.redis();
    redis.pause();
    assertThat(redis.isAlive()).isTrue();
    var answer = CompletableFuture.supplyAsync(() -> redis.command("PING"));
    assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    redis.resume();
    redis.resume();
    assertThat(answer).succeedsWithin(ANSWER_LIMIT).isEqualTo("PONG");
  }

  private static void killAndRestart(BackingServer server) {
    long killed = server.pid();
    server.kill();
    server.kill();
    assertThat(server.isAlive()).isFalse();
    server.restart();
    assertThat(server.isAlive()).isTrue();
    assertThat(server.pid()).isNotEqualTo(killed);
  }

  private static void run(PostgresServer postgres, String sql) throws SQLException {
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
