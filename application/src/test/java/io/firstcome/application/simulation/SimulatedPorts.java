package io.firstcome.application.simulation;

import io.firstcome.application.FakeChallenges;
import io.firstcome.application.HandoffPorts;
import io.firstcome.application.PersistencePorts;
import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.application.simulation.SimulatedNetwork.Server;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.InstanceReports;
import io.firstcome.domain.port.IssuanceCurves;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.port.WrongCodes;
import java.util.List;

/** The ports of the servers as one instance sees them, over the network. */
record SimulatedPorts(
    PersistencePorts database,
    HandoffPorts handoff,
    CouponStock stock,
    Acknowledgements acknowledgements) {

  /** Acknowledges messages to the broker. */
  interface Acknowledgements {
    void acknowledge(List<InMemoryBroker.Delivery> deliveries);
  }

  static SimulatedPorts of(SimulatedNetwork network, SimulatedServers servers, Caller caller) {
    var connection = new Connection(network, caller);
    var broker = servers.broker;
    return new SimulatedPorts(
        database(connection, network, servers, caller),
        handoff(connection, servers),
        connection.toStock(CouponStock.class, servers.stock.stock()),
        connection.toBroker(
            Acknowledgements.class, deliveries -> deliveries.forEach(broker::acknowledge)));
  }

  private static PersistencePorts database(
      Connection connection, SimulatedNetwork network, SimulatedServers servers, Caller caller) {
    var database = servers.database;
    return new PersistencePorts(
        connection.toDatabase(CouponRepository.class, database.coupons()),
        connection.toDatabase(CampaignRepository.class, database.campaigns()),
        connection.toDatabase(RoomRecords.class, database.rooms()),
        connection.toDatabase(UserCouponRepository.class, database.userCoupons()),
        connection.toDatabase(LateClaimRepository.class, database.lateClaims()),
        connection.toDatabase(PartitionEpochs.class, servers.leases.of(caller.lifetime())),
        connection.toDatabase(SlotReturns.class, database.slotReturns()),
        connection.toDatabase(EventOutbox.class, database.events()),
        connection.toDatabase(AuditTrail.class, database.audit()),
        connection.toDatabase(WrongCodes.class, database.wrongCodes()),
        connection.toDatabase(
            UserErasures.class, servers.erasures.of(caller, network.freezes()::block)),
        connection.toDatabase(IssuanceCurves.class, database.curves()),
        connection.toDatabase(InstanceReports.class, database.instances()),
        connection.toDatabase(Rehearsals.class, database.rehearsals()));
  }

  private static HandoffPorts handoff(Connection connection, SimulatedServers servers) {
    var stock = servers.stock;
    var broker = servers.broker;
    return new HandoffPorts(
        connection.toStock(StockRecovery.class, stock.recovery()),
        connection.toStock(SoldOutLeases.class, stock.leases()),
        connection.toStock(WaitingRooms.class, stock.rooms()),
        new FakeChallenges(),
        connection.toStock(HandoffLog.class, stock.log()),
        connection.toBroker(ClaimPublisher.class, broker),
        connection.toBroker(ClaimQueue.class, broker),
        message -> {
          throw new IllegalStateException("no simulated message is unreadable");
        },
        connection.toDatabase(DeadLetters.class, servers.database.deadLetters()),
        connection.toBroker(EventPublisher.class, servers.listeners));
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
