package io.firstcome.application;

import io.firstcome.application.AnswerRecord.Owner;
import io.firstcome.application.SimulatedNetwork.Caller;
import io.firstcome.application.SimulatedNetwork.Server;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.UserId;
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
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/** One instance of the service, from its start to its crash: the use cases over the network. */
final class SimulatedInstance {

  private static final int DELIVERED_TOGETHER = 3;
  private static final String KEEP = "keep ";
  private static final Actor OPERATOR = new Actor(Actor.Kind.OPERATOR, "operator");

  private final Schedule schedule;
  private final SimulatedServers servers;
  private final Schedule.Lifetime lifetime = new Schedule.Lifetime();
  private final Caller caller;

  private final StockKeeper keeper;
  private final HealMissingStock healMissingStock;
  private final CouponCatalog catalog;
  private final GroupCommit groupCommit;
  private final ClaimCoupon claimCoupon;
  private final FindClaim findClaim;
  private final GiveBackUserCoupon giveBack;
  private final RevokeUserCoupon revoke;
  private final ChangeCoupon changeCoupon;
  private final ArchiveCoupon archiveCoupon;
  private final RecordAcceptedClaims recorder;
  private final Acknowledgements acknowledgements;

  /** Claim calls that are about to leave; first in, first out. */
  private final Queue<Runnable> senders = new ArrayDeque<>();

  private final List<Round> rounds = new ArrayList<>();
  private final Set<Round> running = new HashSet<>();

  /** Tells the broker that messages are done. */
  interface Acknowledgements {
    void acknowledge(List<InMemoryBroker.Delivery> deliveries);
  }

  /** Background work that goes on again and again, on one thread of its own. */
  record Round(String name, Schedule.Work work) {}

  SimulatedInstance(
      String name,
      Schedule schedule,
      SimulatedNetwork network,
      SimulatedServers servers,
      InstantSource clock,
      ApplicationLimits limits,
      List<Partition> partitions,
      AnswerRecord record,
      boolean returning,
      boolean telling,
      boolean archiving) {
    this.schedule = schedule;
    this.servers = servers;
    caller = new Caller(name, lifetime);
    var fencedCoupons = new FencedCoupons();
    CouponStock stock =
        new FenceReportingStock(
            network.connect(CouponStock.class, caller, Server.STOCK, servers.stock.stock()),
            fencedCoupons);
    var recovery =
        network.connect(StockRecovery.class, caller, Server.STOCK, servers.stock.recovery());
    var log = network.connect(HandoffLog.class, caller, Server.STOCK, servers.stock.log());
    var database = servers.database;
    var coupons =
        network.connect(CouponRepository.class, caller, Server.DATABASE, database.coupons());
    var userCoupons =
        network.connect(
            UserCouponRepository.class, caller, Server.DATABASE, database.userCoupons());
    var lateClaims =
        network.connect(LateClaimRepository.class, caller, Server.DATABASE, database.lateClaims());
    var partitionEpochs =
        network.connect(
            PartitionEpochs.class, caller, Server.DATABASE, servers.rights.of(lifetime));
    var publisher = network.connect(ClaimPublisher.class, caller, Server.BROKER, servers.broker);
    var queue = network.connect(ClaimQueue.class, caller, Server.BROKER, servers.broker);
    var deadLetters =
        network.connect(DeadLetters.class, caller, Server.DATABASE, database.deadLetters());
    acknowledgements =
        network.connect(
            Acknowledgements.class,
            caller,
            Server.BROKER,
            deliveries -> deliveries.forEach(servers.broker::acknowledge));

    var observer = new SimulatedObserver(name, schedule, record);
    var codeKeys = CouponFixtures.codeKeys();
    var epochs = new KnownEpochs();
    catalog = new CouponCatalog(coupons, clock);
    var arrivals = new RowArrivals(userCoupons, limits);
    var rebuildCoupon =
        new RebuildCoupon(recovery, stock, userCoupons, lateClaims, clock, Runnable::run, limits);
    var recoverStock =
        new RecoverStock(
            partitionEpochs,
            epochs,
            coupons,
            lateClaims,
            recovery,
            log,
            queue,
            rebuildCoupon,
            limits,
            observer);
    keeper = new StockKeeper(recoverStock, partitions);
    groupCommit = new GroupCommit(_ -> stock, epochs, limits, senders::add, observer);
    findClaim = new FindClaim(catalog, epochs, userCoupons, lateClaims, stock, codeKeys, clock);
    claimCoupon =
        new ClaimCoupon(
            catalog,
            groupCommit,
            codeKeys,
            userCoupons,
            findClaim,
            arrivals,
            keeper,
            clock,
            observer);
    var relay = new RelayAcceptedClaims(log, publisher, limits, observer);
    var keepDeadLetters = new KeepDeadLetters(deadLetters, clock, limits, observer);
    recorder =
        new RecordAcceptedClaims(
            catalog,
            codeKeys,
            userCoupons,
            log,
            lateClaims,
            keepDeadLetters,
            arrivals,
            keeper,
            limits,
            observer);
    var settleLateClaims =
        new SettleLateClaims(
            catalog,
            epochs,
            codeKeys,
            stock,
            userCoupons,
            lateClaims,
            keepDeadLetters,
            arrivals,
            keeper,
            clock,
            limits,
            observer);
    var slotReturns =
        network.connect(SlotReturns.class, caller, Server.DATABASE, database.slotReturns());
    var releaseSlots = new ReleaseSlots(catalog, slotReturns, stock, epochs, limits, observer);
    giveBack = new GiveBackUserCoupon(catalog, userCoupons, releaseSlots, clock);
    revoke = new RevokeUserCoupon(catalog, userCoupons, releaseSlots, clock);
    var bringToStock = new BringToStock(coupons, stock, epochs, clock, observer);
    var proveExactness =
        new ProveExactness(coupons, stock, log, userCoupons, lateClaims, epochs, clock, limits);
    changeCoupon = new ChangeCoupon(coupons, bringToStock, clock);
    archiveCoupon =
        new ArchiveCoupon(
            coupons,
            catalog,
            new LookWhatIsOpen(
                coupons,
                bringToStock,
                epochs,
                partitionEpochs,
                proveExactness,
                lateClaims,
                slotReturns),
            bringToStock,
            clock);
    var reconcileCoupons =
        new ReconcileCoupons(
            coupons, proveExactness, bringToStock, epochs, keeper, observer, Pace.WITHOUT_REST);
    healMissingStock =
        new HealMissingStock(
            fencedCoupons, coupons, bringToStock, recovery, epochs, keeper, observer);

    for (var partition : partitions) {
      rounds.add(new Round(KEEP + partition, () -> keep(partition)));
      rounds.add(new Round("settle " + partition, () -> settleLateClaims.settle(partition)));
    }
    rounds.add(new Round("relay", relay::relayNew));
    rounds.add(new Round("sweep", () -> sweep(relay)));
    rounds.add(new Round("record", this::record));
    rounds.add(new Round("record too", this::record));
    rounds.add(new Round("bring to stock", bringToStock::catchUp));
    if (archiving) {
      var clearArchived = new ClearArchivedCoupons(coupons, recovery, epochs, partitions, observer);
      rounds.add(new Round("clear archived", clearArchived::clearNext));
    }
    if (returning) {
      rounds.add(new Round("release", releaseSlots::catchUp));
    }
    if (telling) {
      var outbox = network.connect(EventOutbox.class, caller, Server.DATABASE, database.events());
      var listeners =
          network.connect(EventPublisher.class, caller, Server.BROKER, servers.listeners);
      var relayEvents = new RelayEvents(outbox, listeners, limits, observer);
      rounds.add(new Round("publish events", relayEvents::relayNext));
    }
    rounds.add(new Round("reconcile", reconcileCoupons::reconcileNext));
  }

  boolean isDead() {
    return lifetime.isOver();
  }

  Caller caller() {
    return caller;
  }

  Schedule.Lifetime lifetime() {
    return lifetime;
  }

  List<Round> rounds() {
    return rounds;
  }

  /** Keeping the partitions open, which is never far: who meets a closed fence asks for it. */
  List<Round> keeping() {
    return rounds.stream().filter(round -> round.name().startsWith(KEEP)).toList();
  }

  /** Begins a round, unless the one before is still under way. */
  void begin(Round round) {
    if (running.add(round)) {
      schedule.begin(
          lifetime,
          () -> {
            schedule.note(caller.name(), "begins", round.name());
            try {
              round.work().run();
            } catch (ServerUnavailableException e) {
              schedule.note(
                  caller.name(), "gives up " + round.name(), String.valueOf(e.getMessage()));
            } finally {
              running.remove(round);
            }
          });
    }
  }

  /** Lets the next claim call leave. */
  void sendNext() {
    var sender = senders.poll();
    if (sender != null) {
      sender.run();
    }
  }

  boolean hasSenders() {
    return !senders.isEmpty();
  }

  /** A customer's claim, answered when its call is. */
  ClaimAnswer claim(CouponId couponId, UserId user) throws InterruptedException {
    var coupon = catalog.find(couponId).orElseThrow();
    if (coupon.status() == CouponStatus.ARCHIVED) {
      return claimCoupon.ofArchived(coupon, user);
    }
    var outcome = groupCommit.claim(coupon, user).toCompletableFuture();
    schedule.await(outcome::isDone);
    return claimCoupon.answer(coupon, user, outcome, Duration.ZERO);
  }

  FindClaim.Result status(CouponId couponId, UserId user) {
    return findClaim.find(couponId, user);
  }

  ChangeCoupon.Result pause(CouponId couponId) {
    return changeCoupon.change(couponId, Coupon::pause, OPERATOR);
  }

  ChangeCoupon.Result resume(CouponId couponId) {
    return changeCoupon.change(couponId, Coupon::resume, OPERATOR);
  }

  ChangeCoupon.Result close(CouponId couponId) {
    return changeCoupon.change(couponId, Coupon::close, OPERATOR);
  }

  ArchiveCoupon.Result archive(CouponId couponId) {
    return archiveCoupon.archive(couponId, OPERATOR);
  }

  UserCouponAnswer giveBack(Owner owner) {
    return giveBack.giveBack(userCouponId(owner), Actor.customer(owner.userId()));
  }

  UserCouponAnswer revoke(Owner owner) {
    return revoke.revoke(userCouponId(owner), "fraud", OPERATOR);
  }

  private UserCouponId userCouponId(Owner owner) {
    var coupon = catalog.find(owner.couponId()).orElseThrow();
    return CouponFixtures.codeKeys()
        .identityOf(coupon.codeKeyVersion(), coupon.id(), owner.userId())
        .id();
  }

  /** Looks at the fence; an operator who restored the database says so at the next look. */
  private void keep(Partition partition) throws InterruptedException {
    int setBacks = servers.databaseSetBacks();
    if (!servers.waitingForOperator().contains(partition)) {
      keeper.keep(partition);
      healMissingStock.look(partition);
    } else if (schedule.chance(0.5)) {
      keeper.keep(partition);
    } else if (keeper.recover(partition, true) instanceof Recovery.Open) {
      servers.recoveredByOperator(partition, setBacks);
    }
  }

  private void sweep(RelayAcceptedClaims relay) {
    if (!recorder.isPaused()) {
      relay.relayStale();
    }
  }

  private void record() throws InterruptedException {
    var deliveries = servers.broker.deliver(DELIVERED_TOGETHER);
    try {
      if (!deliveries.isEmpty()) {
        recorder.record(deliveries.stream().map(InMemoryBroker.Delivery::entry).toList());
        acknowledgements.acknowledge(deliveries);
      }
    } finally {
      servers.giveBack(deliveries);
    }
  }
}
