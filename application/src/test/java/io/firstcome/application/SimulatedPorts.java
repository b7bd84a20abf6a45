package io.firstcome.application;

import io.firstcome.application.SimulatedNetwork.Caller;
import io.firstcome.application.SimulatedNetwork.Server;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import java.util.List;

/** The ports of the servers as one instance sees them, over the network. */
record SimulatedPorts(
    CouponStock stock,
    StockRecovery recovery,
    HandoffLog log,
    CouponRepository coupons,
    UserCouponRepository userCoupons,
    LateClaimRepository lateClaims,
    PartitionEpochs epochs,
    DeadLetters deadLetters,
    SlotReturns slotReturns,
    EventOutbox outbox,
    ClaimPublisher publisher,
    ClaimQueue queue,
    EventPublisher listeners,
    Acknowledgements acknowledgements) {

  /** Tells the broker that messages are done. */
  interface Acknowledgements {
    void acknowledge(List<InMemoryBroker.Delivery> deliveries);
  }

  static SimulatedPorts of(SimulatedNetwork network, SimulatedServers servers, Caller caller) {
    var connection = new Connection(network, caller);
    var stock = servers.stock;
    var database = servers.database;
    var broker = servers.broker;
    return new SimulatedPorts(
        connection.toStock(CouponStock.class, stock.stock()),
        connection.toStock(StockRecovery.class, stock.recovery()),
        connection.toStock(HandoffLog.class, stock.log()),
        connection.toDatabase(CouponRepository.class, database.coupons()),
        connection.toDatabase(UserCouponRepository.class, database.userCoupons()),
        connection.toDatabase(LateClaimRepository.class, database.lateClaims()),
        connection.toDatabase(PartitionEpochs.class, servers.rights.of(caller.lifetime())),
        connection.toDatabase(DeadLetters.class, database.deadLetters()),
        connection.toDatabase(SlotReturns.class, database.slotReturns()),
        connection.toDatabase(EventOutbox.class, database.events()),
        connection.toBroker(ClaimPublisher.class, broker),
        connection.toBroker(ClaimQueue.class, broker),
        connection.toBroker(EventPublisher.class, servers.listeners),
        connection.toBroker(
            Acknowledgements.class, deliveries -> deliveries.forEach(broker::acknowledge)));
  }

  private record Connection(SimulatedNetwork network, Caller caller) {

    <P> P toStock(Class<P> port, P target) {
      return network.connect(port, caller, Server.STOCK, target);
    }

    <P> P toDatabase(Class<P> port, P target) {
      return network.connect(port, caller, Server.DATABASE, target);
    }

    <P> P toBroker(Class<P> port, P target) {
      return network.connect(port, caller, Server.BROKER, target);
    }
  }
}
