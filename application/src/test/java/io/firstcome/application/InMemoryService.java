package io.firstcome.application;

import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.archive.ArchiveEndedCoupons;
import io.firstcome.application.archive.ArchivePreconditions;
import io.firstcome.application.archive.ClearArchivedCoupons;
import io.firstcome.application.claim.AdmissionCheck;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.ClaimCoupon;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.claim.SuggestCoupons;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.coupon.DefineCampaign;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.application.coupon.EditCoupon;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.coupon.ReadOpenCoupons;
import io.firstcome.application.erasure.EraseUsers;
import io.firstcome.application.reconciliation.ArchivedRows;
import io.firstcome.application.reconciliation.ExactnessProof;
import io.firstcome.application.reconciliation.Pace;
import io.firstcome.application.reconciliation.ProveExactness;
import io.firstcome.application.reconciliation.ReconcileCoupons;
import io.firstcome.application.recording.KeepDeadLetters;
import io.firstcome.application.recording.LockedCoupons;
import io.firstcome.application.recording.RecordAcceptedClaims;
import io.firstcome.application.recording.RelayAcceptedClaims;
import io.firstcome.application.recording.RowArrivals;
import io.firstcome.application.recording.SettleLateClaims;
import io.firstcome.application.recovery.HealMissingStock;
import io.firstcome.application.recovery.RebuildCoupon;
import io.firstcome.application.recovery.RecoverStock;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.rehearsal.ReadRehearsals;
import io.firstcome.application.rehearsal.RehearsalClones;
import io.firstcome.application.rehearsal.RemoveRehearsal;
import io.firstcome.application.soldout.RefuseSoldOut;
import io.firstcome.application.stock.EndLeases;
import io.firstcome.application.stock.FencedCoupons;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.application.stock.StockSync;
import io.firstcome.application.usercoupon.GiveBackUserCoupon;
import io.firstcome.application.usercoupon.ReleaseSlots;
import io.firstcome.application.usercoupon.RevokeUserCoupon;
import io.firstcome.application.waitingroom.AdvanceRooms;
import io.firstcome.application.waitingroom.ClaimTurns;
import io.firstcome.application.waitingroom.JoinRoom;
import io.firstcome.application.waitingroom.KeepRooms;
import io.firstcome.application.waitingroom.ReadChallenge;
import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/** One instance of the service over in-memory servers. A test runs its background work. */
public final class InMemoryService {

  public static final Partition PARTITION = new Partition(0);

  private final AtomicReference<Duration> passed = new AtomicReference<>(Duration.ZERO);

  /** The clock of all servers and instances: the system clock plus all {@link #timePasses}. */
  public final InstantSource clock = () -> InstantSource.system().instant().plus(passed.get());

  /** The clocks of this process. Whoever sleeps lets the time pass at once. */
  public final ProcessClock processClock =
      new ProcessClock() {
        @Override
        public long nanos() {
          return System.nanoTime() + passed.get().toNanos();
        }

        @Override
        public Instant wall() {
          return clock.instant();
        }

        @Override
        public void sleep(Duration time) {
          timePasses(time);
        }
      };

  public final InMemoryStockBackend stock = new InMemoryStockBackend(clock, 100);
  public final InMemoryDatabase database = new InMemoryDatabase(clock);
  public final InMemoryBroker broker = new InMemoryBroker();
  public final ApplicationLimits limits = LimitsForTests.small();
  public final List<String> stopped = new ArrayList<>();
  private final IssuanceObserver observer = new StopReasons(stopped);

  /** Coupons whose rows are locked by another transaction. */
  public final Set<CouponId> lockedRows = new HashSet<>();

  /** Names of calls of {@link WaitingRooms} that do not reach the stock. */
  public final Set<String> lostRoomCalls = new HashSet<>();

  private final WaitingRooms rooms =
      new Interposed(
              (method, _, call) -> {
                if (lostRoomCalls.contains(method.getName())) {
                  throw new StockUnavailableException(Effect.NONE, "the call was lost", null);
                }
                return call.call();
              })
          .port(WaitingRooms.class, stock.rooms());

  private final CouponRepository lockable =
      new Interposed((method, arguments, call) ->
          method.getName().equals("lockedAmong")
              ? lockedRows.stream()
                  .filter(((Set<?>) arguments.getFirst())::contains)
                  .collect(Collectors.toSet())
              : call.call())
          .port(CouponRepository.class, database.coupons());

  private final UseCases useCases =
      UseCases.withHandoff(
          settings(),
          databasePorts(),
          handoffPorts(),
          stock.stock(),
          stock.stock(),
          ClocksForTests.same(clock));
  private final HandoffUseCases handoff = useCases.handoff();

  public final FencedCoupons fencedCoupons = handoff.fencedCoupons;
  public final CouponStock reporting = useCases.stock;
  public final KnownEpochs epochs = useCases.knownEpochs;
  public final CouponCatalog catalog = useCases.catalog;
  public final RowArrivals arrivals = useCases.arrivals;
  public final StockKeeper keeper = useCases.keeper;
  public final FindClaim findClaim = useCases.findClaim;
  public final RefuseSoldOut refuseSoldOut = useCases.refuseSoldOut;
  public final EndLeases endLeases = useCases.endLeases;
  public final AdmissionCheck admissionCheck = useCases.admissionCheck;
  public final ClaimCoupon claimCoupon = useCases.claimCoupon;
  public final SuggestCoupons suggestCoupons = useCases.suggestCoupons;
  public final RelayAcceptedClaims relay = handoff.relayAcceptedClaims;
  public final KeepDeadLetters keepDeadLetters = handoff.keepDeadLetters;
  public final LockedCoupons lockedCoupons = new LockedCoupons(lockable);
  public final RecordAcceptedClaims recorder = handoff.recordAcceptedClaims;
  public final StockSync stockSync = useCases.stockSync;
  public final ClearArchivedCoupons clearArchivedCoupons = handoff.clearArchivedCoupons;
  public final DefineCoupon defineCoupon = useCases.defineCoupon;
  public final DefineCampaign defineCampaign = useCases.defineCampaign;
  public final EditCoupon editCoupon = useCases.editCoupon;
  public final ChangeCoupon changeCoupon = useCases.changeCoupon;
  public final ArchiveEndedCoupons archiveEndedCoupons = useCases.archiveEndedCoupons;
  public final ReleaseSlots releaseSlots = useCases.releaseSlots;
  public final GiveBackUserCoupon giveBackUserCoupon = useCases.giveBackUserCoupon;
  public final RevokeUserCoupon revokeUserCoupon = useCases.revokeUserCoupon;
  public final EraseUsers eraseUsers = useCases.eraseUsers;
  public final ProveExactness proveExactness = useCases.proveExactness;
  public final ListCoupons listCoupons = useCases.listCoupons;
  public final ReadCoupon readCoupon = useCases.readCoupon;
  public final ReadOpenCoupons readOpenCoupons = useCases.readOpenCoupons;
  public final AdvanceRooms advanceRooms = handoff.advanceRooms;
  public final ClaimTurns claimTurns = handoff.claimTurns;
  public final KeepRooms keepRooms = handoff.keepRooms;
  public final JoinRoom joinRoom = handoff.joinRoom;
  public final ReadChallenge readChallenge = handoff.readChallenge;
  public final ReadRoom readRoom = handoff.readRoom;
  public final RehearsalClones rehearsalClones = useCases.rehearsalClones;
  public final RemoveRehearsal removeRehearsal = useCases.removeRehearsal;
  public final ReadRehearsals readRehearsals = useCases.readRehearsals;

  private InstanceSettings settings() {
    return new InstanceSettings(
        CouponFixtures.codeKeys(),
        StockBackends.allWithUsual(StockBackend.REDIS),
        1,
        false,
        clock,
        processClock,
        Runnable::run,
        Runnable::run,
        Runnable::run,
        Runnable::run,
        InMemoryMaps::unbounded,
        Pace.WITHOUT_REST,
        limits,
        observer);
  }

  private PersistencePorts databasePorts() {
    return new PersistencePorts(
        lockable,
        database.campaigns(),
        database.rooms(),
        database.userCoupons(),
        database.lateClaims(),
        database.epochs(),
        database.slotReturns(),
        database.events(),
        database.audit(),
        database.wrongCodes(),
        database.erasures(),
        database.curves(),
        database.instances(),
        database.rehearsals());
  }

  private HandoffPorts handoffPorts() {
    return new HandoffPorts(
        stock.recovery(),
        stock.leases(),
        rooms,
        new FakeChallenges(),
        stock.log(),
        broker,
        broker,
        _ -> new ClaimMessageReader.Reading.Unreadable("no message is stored without its claims"),
        database.deadLetters(),
        _ -> {});
  }

  /** A service whose partition is open and that has this new coupon. */
  public static InMemoryService with(Coupon coupon) {
    var service = new InMemoryService();
    service.checkTheFence();
    service.defineCoupon.define(coupon.definition(), null, CouponFixtures.OPERATOR);
    return service;
  }

  /** A recoverer whose port calls are intercepted. */
  public RecoverStock recoverStock(Interposed ports) {
    return recoverStock(ports, observer);
  }

  /** A recoverer of another instance, which has its own known epochs. */
  public RecoverStock recoverStock(KnownEpochs others) {
    return recoverStock(Interposed.nothing(), observer, others);
  }

  /** A recoverer whose port calls are intercepted and that reports to the observer. */
  public RecoverStock recoverStock(Interposed ports, IssuanceObserver testObserver) {
    return recoverStock(ports, testObserver, epochs);
  }

  private RecoverStock recoverStock(
      Interposed ports, IssuanceObserver testObserver, KnownEpochs known) {
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
            CouponFixtures.codeKeys(),
            clock,
            Runnable::run,
            limits.recovery()),
        limits.recovery(),
        processClock,
        testObserver);
  }

  /** A recorder that writes to the given repository. */
  public RecordAcceptedClaims recorder(UserCouponRepository userCoupons) {
    return recorder(userCoupons, observer);
  }

  /** A recorder that writes to the given repository and reports to the observer. */
  public RecordAcceptedClaims recorder(
      UserCouponRepository userCoupons, IssuanceObserver testObserver) {
    return recorder(catalog, userCoupons, testObserver);
  }

  /** A recorder of an instance that has the given catalog. */
  public RecordAcceptedClaims recorder(CouponCatalog known) {
    return recorder(known, database.userCoupons(), observer);
  }

  private RecordAcceptedClaims recorder(
      CouponCatalog known, UserCouponRepository userCoupons, IssuanceObserver testObserver) {
    return new RecordAcceptedClaims(
        known,
        CouponFixtures.codeKeys(),
        userCoupons,
        stock.log(),
        database.lateClaims(),
        lockedCoupons,
        keepDeadLetters,
        arrivals,
        keeper,
        clock,
        limits.recording(),
        testObserver);
  }

  /** Settles late claims; the calls of their repository are intercepted. */
  public SettleLateClaims settleLateClaims(Interposed lateClaims) {
    return settleLateClaims(catalog, lateClaims);
  }

  /** Settles late claims in an instance that has the given catalog. */
  public SettleLateClaims settleLateClaims(CouponCatalog known) {
    return settleLateClaims(known, Interposed.nothing());
  }

  private SettleLateClaims settleLateClaims(CouponCatalog known, Interposed lateClaims) {
    return new SettleLateClaims(
        known,
        epochs,
        CouponFixtures.codeKeys(),
        reporting,
        endLeases,
        database.userCoupons(),
        lateClaims.port(LateClaimRepository.class, database.lateClaims()),
        lockedCoupons,
        keepDeadLetters,
        arrivals,
        keeper,
        this::archivedRows,
        clock,
        limits.recording(),
        observer);
  }

  public ArchivedRows archivedRows(Coupon coupon) {
    return new ArchivedRows(coupon, database.userCoupons(), clock, limits.comparison());
  }

  /** Looks for missing stock and reports to the observer. */
  public HealMissingStock healMissingStock(IssuanceObserver testObserver) {
    return new HealMissingStock(
        fencedCoupons,
        database.coupons(),
        stockSync,
        stock.recovery(),
        epochs,
        keeper,
        testObserver);
  }

  /** Compares one coupon after the other and reports to the observer. */
  public ReconcileCoupons reconcileCoupons(IssuanceObserver testObserver) {
    return new ReconcileCoupons(
        database.coupons(),
        proveExactness,
        stockSync(reporting, testObserver),
        epochs,
        keeper,
        testObserver,
        Pace.WITHOUT_REST);
  }

  /** Brings changes of coupons to the given stock. */
  public StockSync stockSync(CouponStock by) {
    return stockSync(by, observer);
  }

  public StockSync stockSync(CouponStock by, IssuanceObserver testObserver) {
    return new StockSync(database.coupons(), by, epochs, endLeases, clock, testObserver);
  }

  /** Archives in another instance, so that this instance's catalog is not updated. */
  public ArchiveCoupon archiveElsewhere(CouponRepository coupons, StockSync by) {
    return new ArchiveCoupon(
        coupons,
        InMemoryMaps.catalog(coupons, clock),
        archivePreconditions(proveExactness),
        by,
        clock);
  }

  /** The preconditions of archiving, checked with the given proof. */
  public ArchivePreconditions archivePreconditions(ProveExactness by) {
    return new ArchivePreconditions(
        database.coupons(),
        stockSync,
        epochs,
        database.epochs(),
        by,
        database.lateClaims(),
        database.slotReturns());
  }

  public ArchiveCoupon archiveElsewhere() {
    return archiveElsewhere(database.coupons(), stockSync);
  }

  /** An instance has a lease on that the coupon is sold out. */
  public void grantLease(Coupon coupon) {
    if (stock.leases().request(epochs.address(coupon)).isEmpty()) {
      throw new AssertionError("no lease for " + coupon.id());
    }
  }

  public void timePasses(Duration time) {
    passed.updateAndGet(time::plus);
  }

  /** Runs one round of the keeper: checks the fence and recovers the partition if needed. */
  public void checkTheFence() {
    try {
      keeper.keep(PARTITION);
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }

  public ClaimAnswer claim(Coupon coupon, String user) {
    try {
      return claimCoupon.claim(coupon.id(), new UserId(user), null);
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }

  /** Relays new log entries and records all messages in the queue. */
  public void relayAndRecord() {
    relay.relayNew();
    recordAllWaiting(recorder);
  }

  public void recordAllWaiting(RecordAcceptedClaims by) {
    var deliveries = broker.deliver(1_000);
    record(by, deliveries.stream().map(InMemoryBroker.Delivery::entry).toList());
    deliveries.forEach(broker::acknowledge);
  }

  public static void record(RecordAcceptedClaims by, List<HandoffEntry> entries) {
    try {
      by.record(entries);
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }

  /** Relays new log entries, records all messages in the queue, and publishes all events. */
  public void recordAll() {
    relayAndRecord();
    while (database.events().publishNext(100, _ -> {}) > 0) {
      // The next page.
    }
  }

  /** Requests the erasure of a user; no claim is accepted at the same time. */
  public ErasureId requestErasure(UserId user) {
    timePasses(Duration.ofSeconds(1));
    var id = eraseUsers.request(user, CouponFixtures.OPERATOR).id();
    timePasses(Duration.ofSeconds(1));
    return id;
  }

  /** Tries each pending erasure once. */
  public void tryErasures() {
    while (eraseUsers.eraseNext()) {
      // The next one.
    }
  }

  public Erasure erasure(ErasureId id) {
    return eraseUsers.find(id).orElseThrow();
  }

  /** Settles until no late claim is left. */
  public void settleAll() {
    int settled;
    do {
      settled = handoff.settleLateClaims.settle(PARTITION);
    } while (settled > 0);
  }

  public Optional<UserCoupon> row(Coupon coupon, String user) {
    return database.userCoupons().find(coupon.id(), new UserId(user));
  }

  /** All dead letters, oldest first. */
  public List<DeadLetter> deadLetters() {
    return database.deadLetters().page(null, 1_000);
  }

  /** The users whose claims the dead letter contains. */
  public static List<UserId> users(DeadLetter letter) {
    return switch (letter.content()) {
      case DeadLetter.Content.Claims(HandoffEntry entry) ->
          entry.claims().stream().map(SlotClaim::userId).toList();
      case DeadLetter.Content.Unreadable _ -> List.of();
    };
  }

  public long logDepth() {
    return stock.log().depth(PARTITION).entries();
  }

  public Epoch epoch() {
    return database.epochs().current(PARTITION);
  }

  public ExactnessProof proof(Coupon coupon) {
    return proveExactness.prove(coupon.id()).orElseThrow();
  }
}
