package io.firstcome.devservices.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.AmqpSession;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalRabbitMqIT {

  private static final String QUEUE = "kept";

  @TempDir Path folder;

  @Test
  void a_private_node_keeps_messages_through_restart_and_kill_and_leaves_nothing()
      throws Exception {
    long node;
    long epmd;
    try (DevServices services = DevServices.in(folder)) {
      AmqpServer rabbit = services.rabbitmq();
      assertThat(rabbit.kind()).isEqualTo(AmqpServer.Kind.RABBITMQ);
      assertThat(services.amqp()).isSameAs(rabbit);
      int port = rabbit.port();
      try (AmqpSession session = AmqpSession.open(rabbit)) {
        session.declareQuorumQueue(QUEUE);
        session.publish(QUEUE, "before the restart");
        session.publish(QUEUE, "before the kill");
      }
      rabbit.restart();
      try (AmqpSession session = AmqpSession.open(rabbit)) {
        assertThat(session.take(QUEUE)).contains("before the restart");
      }
      rabbit.kill();
      assertThat(rabbit.isAlive()).isFalse();
      assertThat(Ports.isFree(port)).isTrue();
      rabbit.restart();
      assertThat(rabbit.port()).isEqualTo(port);
      try (AmqpSession session = AmqpSession.open(rabbit)) {
        // The first message was acknowledged just before the kill, so it may be redelivered.
        String next = session.take(QUEUE).orElseThrow();
        assertThat(next.equals("before the kill") ? next : session.take(QUEUE).orElseThrow())
            .isEqualTo("before the kill");
      }
      node = rabbit.pid();
      epmd = pidIn(folder.resolve("rabbitmq/epmd.pid"));
      assertThat(ProcessHandle.of(epmd)).isPresent();
    }
    assertThat(ProcessHandle.of(node)).isEmpty();
    assertThat(ProcessHandle.of(epmd)).isEmpty();
  }

  private static long pidIn(Path file) throws Exception {
    return Long.parseLong(Files.readString(file).split(" ", 2)[0]);
  }
}
