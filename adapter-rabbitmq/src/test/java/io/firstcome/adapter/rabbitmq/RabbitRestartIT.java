package io.firstcome.adapter.rabbitmq;

import static io.firstcome.adapter.rabbitmq.Eventually.eventually;
import static io.firstcome.adapter.rabbitmq.RabbitClaimListenerIT.isPublished;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.broker.BrokerFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.domain.handoff.HandoffEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The adapter while its RabbitMQ is killed and restarted. */
final class RabbitRestartIT {

  @TempDir Path folder;

  @Test
  void publisher_and_listener_continue_after_the_broker_was_killed() {
    Set<HandoffEntry> recorded = ConcurrentHashMap.newKeySet();
    List<HandoffEntry> entries = BrokerFixtures.entries(30);
    try (var services = DevServices.in(folder)) {
      AmqpServer server = services.rabbitmq();
      try (var rig =
          new RabbitRig(server, server.port(), TestLimits.notListening(), recorded::addAll)) {
        rig.publisher().publish(entries.subList(0, 10));
        rig.container().start();
        eventually(10, recorded::size);
        rig.container().stop();
        rig.publisher().publish(entries.subList(10, 20));

        server.kill();
        rig.container().start();
        assertThat(isPublished(rig, entries.subList(20, 30))).isFalse();
        server.restart();

        eventually(true, () -> isPublished(rig, entries.subList(20, 30)));
        eventually(Set.copyOf(entries), () -> Set.copyOf(recorded));
      }
    }
  }
}
