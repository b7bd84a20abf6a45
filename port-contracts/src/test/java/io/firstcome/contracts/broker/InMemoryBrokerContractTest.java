package io.firstcome.contracts.broker;

import io.firstcome.contracts.broker.InMemoryBroker.Delivery;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import java.util.ArrayList;
import java.util.List;

/** The in-memory broker against {@link BrokerContract}. */
final class InMemoryBrokerContractTest extends BrokerContract {

  private final BrokerFixture fixture = new InMemoryFixture();

  @Override
  protected BrokerFixture broker() {
    return fixture;
  }

  private static final class InMemoryFixture implements BrokerFixture {

    private final InMemoryBroker broker = new InMemoryBroker();
    private final List<Delivery> held = new ArrayList<>();

    @Override
    public ClaimPublisher publisher() {
      return broker;
    }

    @Override
    public ClaimQueue queue() {
      return broker;
    }

    @Override
    public List<HandoffEntry> hold(int count) {
      List<Delivery> deliveries = broker.deliver(count);
      held.addAll(deliveries);
      return deliveries.stream().map(Delivery::entry).toList();
    }

    @Override
    public void acknowledgeHeld() {
      held.forEach(broker::acknowledge);
    }

    @Override
    public void crashHolder() {
      broker.giveBackAll();
    }

    @Override
    public void unroute() {
      broker.setRouted(false);
    }

    @Override
    public void disconnect() {
      broker.setAvailable(false);
    }

    @Override
    public void reconnect() {
      broker.setAvailable(true);
    }
  }
}
