package io.firstcome.adapter.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.firstcome.contracts.broker.BrokerFixture;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/** The operations of the broker's contract, on a real broker. */
final class RabbitFixture implements BrokerFixture, AutoCloseable {

  private final AmqpServer server;
  private final RabbitRig rig;
  private Channel holder;
  private long lastTag;

  RabbitFixture(AmqpServer server) {
    this.server = server;
    this.rig = new RabbitRig(server, server.port(), TestLimits.sharing(), entries -> {});
    this.holder = rig.outside();
  }

  @Override
  public ClaimPublisher publisher() {
    return rig.publisher();
  }

  @Override
  public ClaimQueue queue() {
    return rig.queue();
  }

  @Override
  public List<HandoffEntry> hold(int count) {
    List<HandoffEntry> entries = new ArrayList<>();
    while (entries.size() < count) {
      GetResponse response = RabbitRig.get(holder, rig.names.claims());
      if (response == null) {
        return entries;
      }
      lastTag = response.getEnvelope().getDeliveryTag();
      entries.addAll(decoded(response));
    }
    return entries;
  }

  @Override
  public void acknowledgeHeld() {
    try {
      holder.basicAck(lastTag, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void crashHolder() {
    try {
      holder.close();
      holder = rig.channel();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void unroute() {
    try {
      holder.queueUnbind(rig.names.claims(), rig.names.exchange(), rig.names.claims());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void disconnect() {
    rig.connectTo(ClosedPort.find());
  }

  @Override
  public void reconnect() {
    rig.connectTo(server.port());
  }

  @Override
  public void close() {
    reconnect();
    rig.close();
  }

  private static List<HandoffEntry> decoded(GetResponse response) {
    var properties =
        new DefaultMessagePropertiesConverter()
            .toMessageProperties(response.getProps(), response.getEnvelope(), UTF_8.name());
    ClaimMessages.Content content =
        new ClaimMessages(RabbitRig.KEYS).read(new Message(response.getBody(), properties));
    assertThat(content.undecoded()).isEmpty();
    return content.entries();
  }
}
