package io.firstcome.adapter.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.firstcome.contracts.broker.BrokerFixture;
import io.firstcome.devservices.AmqpServer;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** What the broker's contract does to a real broker. */
final class RabbitFixture implements BrokerFixture, AutoCloseable {

  private final AmqpServer server;
  private final RabbitRig rig;
  private Channel holder;
  private long lastTag;

  RabbitFixture(AmqpServer server) {
    this.server = server;
    this.rig = new RabbitRig(server);
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
    for (int i = 0; i < count; i++) {
      GetResponse response = RabbitRig.get(holder, rig.names.claims());
      if (response == null) {
        return entries;
      }
      lastTag = response.getEnvelope().getDeliveryTag();
      entries.add(decoded(response.getBody()));
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
  public void goAway() {
    rig.connectTo(ClosedPort.find());
  }

  @Override
  public void comeBack() {
    rig.connectTo(server.port());
  }

  @Override
  public void close() {
    comeBack();
    rig.close();
  }

  private static HandoffEntry decoded(byte[] body) {
    try {
      return new ClaimMessageCodec().decode(body);
    } catch (UndecodableMessageException e) {
      throw new AssertionError(e);
    }
  }
}
