package io.firstcome.devservices.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.AmqpSession;
import io.firstcome.devservices.DevServices;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalQpidIT {

  private static final String QUEUE = "claims";

  @TempDir Path folder;

  @Test
  void it_takes_a_quorum_queue_confirms_messages_and_comes_back_empty() throws Exception {
    try (DevServices services = DevServices.in(folder)) {
      AmqpServer qpid = services.qpid();
      assertThat(qpid.kind()).isEqualTo(AmqpServer.Kind.QPID);
      try (AmqpSession session = AmqpSession.open(qpid)) {
        session.declareQuorumQueue(QUEUE);
        session.publish(QUEUE, "one");
        assertThat(session.take(QUEUE)).contains("one");
        session.publish(QUEUE, "lost with the broker");
      }
      int port = qpid.port();
      qpid.kill();
      assertThat(qpid.isAlive()).isFalse();
      qpid.restart();
      assertThat(qpid.port()).isEqualTo(port);
      try (AmqpSession session = AmqpSession.open(qpid)) {
        session.declareQuorumQueue(QUEUE);
        assertThat(session.take(QUEUE)).isEmpty();
      }
    }
  }
}
