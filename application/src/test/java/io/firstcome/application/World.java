package io.firstcome.application;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * One instance of the service over in-memory servers, whose background work a test does by hand.
 */
final class World {

  static final Partition PARTITION = new Partition(0);

  private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);

  /** The clock of all servers and instances: the real one, ahead by what a test lets pass. */
  final InstantSource clock = () -> InstantSource.system().instant().plus(passed.get());

  final InMemoryStockBackend stock = new InMemoryStockBackend(clock, 100);
  final InMemoryDatabase database = new InMemoryDatabase(clock);
  final InMemoryBroker broker = new InMemoryBroker();
  final ApplicationLimits limits = LimitsForTests.small();
  final List<String> stopped = new ArrayList<>();
  private final IssuanceObserver observer = IssuanceObserver.silent();

  final FencedCoupons fencedCoupons = new FencedCoupons();
  final CouponStock reporting = new FenceReportingStock(stock.stock(), fencedCoupons);
  final KnownEpochs epochs = new KnownEpochs();
  final CouponCatalog catalog = new CouponCatalog(database.coupons(), clock);
  final RowArrivals arrivals = new RowArrivals(database.userCoupons(), limits);
  final RecoverStock recoverStock = recoverStock(Interposed.nothing());
  final StockKeeper keeper = new StockKeeper(recoverStock, List.of(PARTITION));
  final FindClaim findClaim =
      new FindClaim(
          catalog,
          epochs,
          database.userCoupons(),
          database.lateClaims(),
          reporting,
          CouponFixtures.codeKeys(),
          clock);
  final ClaimCoupon claimCoupon =
      new ClaimCoupon(
          catalog,
          new GroupCommit(_ -> reporting, epochs, limits, Runnable::run, observer),
          CouponFixtures.codeKeys(),
          database.userCoupons(),
          findClaim,
          arrivals,
          keeper,
          clock,
          observer);
  final RelayAcceptedClaims relay = new RelayAcceptedClaims(stock.log(), broker, limits, observer);
  final KeepDeadLetters keepDeadLetters =
      new KeepDeadLetters(database.deadLetters(), clock, limits, observer);

  /** Coupons whose rows somebody holds locked. */
  final Set<CouponId> lockedRows = new HashSet<>();

  final LockedCoupons lockedCoupons =
      new LockedCoupons(
          new Interposed((method, arguments, call) ->
              method.getName().equals("lockedAmong")
                  ? lockedRows.stream()
                      .filter(((Set<?>) arguments.getFirst())::contains)
                      .collect(Collectors.toSet())
                  : call.call())
              .port(CouponRepository.class, database.coupons()));
  final RecordAcceptedClaims recorder = recorder(database.userCoupons());
  final SettleLateClaims settleLateClaims = settleLateClaims(Interposed.nothing());
  final BringToStock bringToStock =
      new BringToStock(database.coupons(), reporting, epochs, clock, observer);
  final ClearArchivedCoupons clearArchivedCoupons =
      new ClearArchivedCoupons(
          database.coupons(), stock.recovery(), epochs, List.of(PARTITION), observer);
  final DefineCoupon defineCoupon =
      new DefineCoupon(
          database.coupons(),
          bringToStock,
          CouponFixtures.codeKeys(),
          1,
          StockBackends.allWithUsual(StockBackend.REDIS),
          clock);
  final ChangeCoupon changeCoupon = new ChangeCoupon(database.coupons(), bringToStock, clock);
  final ReleaseSlots releaseSlots =
      new ReleaseSlots(catalog, database.slotReturns(), reporting, epochs, limits, observer);
  final GiveBackUserCoupon giveBackUserCoupon =
      new GiveBackUserCoupon(catalog, database.userCoupons(), releaseSlots, clock);
  final RevokeUserCoupon revokeUserCoupon =
      new RevokeUserCoupon(catalog, database.userCoupons(), releaseSlots, clock);
  final ProveExactness proveExactness =
      new ProveExactness(
          database.coupons(),
          reporting,
          stock.log(),
          database.userCoupons(),
          database.lateClaims(),
          epochs,
          clock,
          limits);
  final ReadCoupon readCoupon =
      new ReadCoupon(database.coupons(), stock.stock(), database.userCoupons(), epochs, clock);

  /** A world whose partition is open and has this coupon, new. */
  static World with(Coupon coupon) {
    var world = new World();
    world.lookAtTheFence();
    world.defineCoupon.define(coupon.definition(), null, CouponFixtures.OPERATOR);
    return world;
  }

  /** The recoverer of an instance that reaches its ports so. */
  RecoverStock recoverStock(Interposed ports) {
    return recoverStock(ports, new StopNotes(stopped));
  }

  /** That of another instance, which knows other epochs. */
  RecoverStock recoverStock(KnownEpochs others) {
    return recoverStock(Interposed.nothing(), new StopNotes(stopped), others);
  }

  /** The same, which tells this observer. */
  RecoverStock recoverStock(Interposed ports, IssuanceObserver told) {
    return recoverStock(ports, told, epochs);
  }

  private RecoverStock recoverStock(Interposed ports, IssuanceObserver told, KnownEpochs known) {
    var recovery = ports.port(StockRecovery.class, stock.recovery());
    var lateClaims = ports.port(LateClaimRepository.class, database.lateClaims());
    return new RecoverStock(
        ports.port(PartitionEpochs.class, database.epochs()),
        known,
        ports.port(CouponRepository.class, database.coupons()),
        lateClaims,
        recovery,
        ports.port(HandoffLog.class, stock.log()),
        broker,
        new RebuildCoupon(
            recovery,
            ports.port(CouponStock.class, stock.stock()),
            ports.port(UserCouponRepository.class, database.userCoupons()),
            lateClaims,
            clock,
            Runnable::run,
            limits),
        limits,
        told);
  }

  /** A recorder that writes through these user coupons. */
  RecordAcceptedClaims recorder(UserCouponRepository userCoupons) {
    return recorder(userCoupons, observer);
  }

  /** The same, which tells this observer. */
  RecordAcceptedClaims recorder(UserCouponRepository userCoupons, IssuanceObserver told) {
    return new RecordAcceptedClaims(
        catalog,
        CouponFixtures.codeKeys(),
        userCoupons,
        stock.log(),
        database.lateClaims(),
        lockedCoupons,
        keepDeadLetters,
        arrivals,
        keeper,
        limits,
        told);
  }

  /** Settles with late claims that it reaches so. */
  SettleLateClaims settleLateClaims(Interposed lateClaims) {
    return new SettleLateClaims(
        catalog,
        epochs,
        CouponFixtures.codeKeys(),
        reporting,
        database.userCoupons(),
        lateClaims.port(LateClaimRepository.class, database.lateClaims()),
        lockedCoupons,
        keepDeadLetters,
        arrivals,
        keeper,
        clock,
        limits,
        observer);
  }

  /** What looks for missing stock, and tells this observer. */
  HealMissingStock healMissingStock(IssuanceObserver told) {
    return new HealMissingStock(
        fencedCoupons, database.coupons(), bringToStock, stock.recovery(), epochs, keeper, told);
  }

  /** What compares coupons in turn, and tells this observer. */
  ReconcileCoupons reconcileCoupons(IssuanceObserver told) {
    return new ReconcileCoupons(
        database.coupons(),
        proveExactness,
        bringToStock(reporting, told),
        epochs,
        keeper,
        told,
        Pace.WITHOUT_REST);
  }

  /** What brings coupons to this stock. */
  BringToStock bringToStock(CouponStock by) {
    return bringToStock(by, observer);
  }

  BringToStock bringToStock(CouponStock by, IssuanceObserver told) {
    return new BringToStock(database.coupons(), by, epochs, clock, told);
  }

  /** Archives in another instance, whose coupons are these; this one's catalog hears nothing. */
  ArchiveCoupon archiveElsewhere(CouponRepository coupons, BringToStock by) {
    return new ArchiveCoupon(
        coupons, new CouponCatalog(coupons, clock), lookWhatIsOpen(proveExactness), by, clock);
  }

  /** A look by this proof. */
  LookWhatIsOpen lookWhatIsOpen(ProveExactness by) {
    return new LookWhatIsOpen(
        database.coupons(),
        bringToStock,
        epochs,
        database.epochs(),
        by,
        database.lateClaims(),
        database.slotReturns());
  }

  ArchiveCoupon archiveElsewhere() {
    return archiveElsewhere(database.coupons(), bringToStock);
  }

  void timePasses(Duration time) {
    passed.updateAndGet(time::plus);
  }

  /** What the keeper does from time to time: recovers where it must. */
  void lookAtTheFence() {
    try {
      keeper.keep(PARTITION);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  ClaimAnswer claim(Coupon coupon, String user) {
    try {
      return claimCoupon.claim(coupon.id(), new UserId(user), Duration.ZERO);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  /** Relays what is new, and records all that waits in the queue. */
  void relayAndRecord() {
    relay.relayNew();
    recordAllWaiting(recorder);
  }

  void recordAllWaiting(RecordAcceptedClaims by) {
    var deliveries = broker.deliver(1_000);
    record(by, deliveries.stream().map(InMemoryBroker.Delivery::entry).toList());
    deliveries.forEach(broker::acknowledge);
  }

  static void record(RecordAcceptedClaims by, List<HandoffEntry> entries) {
    try {
      by.record(entries);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  /** Settles until no late claim is left. */
  void settleAll() {
    int settled;
    do {
      settled = settleLateClaims.settle(PARTITION);
    } while (settled > 0);
  }

  Optional<UserCoupon> row(Coupon coupon, String user) {
    return database.userCoupons().find(coupon.id(), new UserId(user));
  }

  /** All of them, oldest first. */
  List<DeadLetter> deadLetters() {
    return database.deadLetters().page(null, 1_000);
  }

  /** Whose claims the letter holds. */
  static List<UserId> users(DeadLetter letter) {
    return switch (letter.content()) {
      case DeadLetter.Content.Claims(HandoffEntry entry) ->
          entry.claims().stream().map(SlotClaim::userId).toList();
      case DeadLetter.Content.Unreadable _ -> List.of();
    };
  }

  long logDepth() {
    return stock.log().depth(PARTITION).entries();
  }

  Epoch epoch() {
    return database.epochs().current(PARTITION);
  }

  ExactnessProof proof(Coupon coupon) {
    return proveExactness.prove(coupon.id()).orElseThrow();
  }
}
