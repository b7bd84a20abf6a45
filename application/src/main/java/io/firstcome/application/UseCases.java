package io.firstcome.application;

import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.archive.ArchiveEndedCoupons;
import io.firstcome.application.archive.ArchivePreconditions;
import io.firstcome.application.audit.ReadAudit;
import io.firstcome.application.claim.AdmissionCheck;
import io.firstcome.application.claim.ClaimCoupon;
import io.firstcome.application.claim.EarlierClaims;
import io.firstcome.application.claim.FindClaim;
import io.firstcome.application.claim.GroupCommit;
import io.firstcome.application.claim.SuggestCoupons;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.coupon.DefineCampaign;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.application.coupon.EditCoupon;
import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.coupon.OpenCoupons;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.coupon.ReadOpenCoupons;
import io.firstcome.application.curve.CountClaims;
import io.firstcome.application.curve.ReadCurve;
import io.firstcome.application.erasure.EraseUsers;
import io.firstcome.application.reconciliation.PendingErasures;
import io.firstcome.application.reconciliation.ProveExactness;
import io.firstcome.application.reconciliation.ReconcileCoupons;
import io.firstcome.application.reconciliation.RunProofs;
import io.firstcome.application.recording.RowArrivals;
import io.firstcome.application.recovery.RebuildCoupon;
import io.firstcome.application.recovery.RecoverEveryPartition;
import io.firstcome.application.recovery.RecoverStock;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.rehearsal.ReadRehearsals;
import io.firstcome.application.rehearsal.RehearsalClones;
import io.firstcome.application.rehearsal.RemoveRehearsal;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.soldout.RefuseSoldOut;
import io.firstcome.application.stock.EndLeases;
import io.firstcome.application.stock.FenceReportingStock;
import io.firstcome.application.stock.FencedCoupons;
import io.firstcome.application.stock.FindStrandedCoupons;
import io.firstcome.application.stock.FreeSlots;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.application.stock.RoutingCouponStock;
import io.firstcome.application.stock.StockSync;
import io.firstcome.application.usercoupon.EndRedemption;
import io.firstcome.application.usercoupon.ExpireUserCoupons;
import io.firstcome.application.usercoupon.FindRedemptions;
import io.firstcome.application.usercoupon.ForgetWrongCodes;
import io.firstcome.application.usercoupon.GiveBackUserCoupon;
import io.firstcome.application.usercoupon.ListUserCoupons;
import io.firstcome.application.usercoupon.LookUpUserCoupons;
import io.firstcome.application.usercoupon.QuoteUserCoupons;
import io.firstcome.application.usercoupon.ReleaseSlots;
import io.firstcome.application.usercoupon.RevokeUserCoupon;
import io.firstcome.application.usercoupon.TakeByCode;
import io.firstcome.application.usercoupon.TakeUserCoupon;
import io.firstcome.application.waitingroom.Admissions;
import io.firstcome.application.waitingroom.RoomReadings;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.SoldOutLeases;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The use cases of one instance, made from its ports: the only place where they are put together.
 * The service, the benchmark and the simulation create theirs here.
 */
public final class UseCases {

  public final CouponCatalog catalog;
  public final KnownEpochs knownEpochs = new KnownEpochs();
  public final RoutingCouponStock stock;
  public final StockSync stockSync;
  public final StockKeeper keeper;
  public final RowArrivals arrivals;

  final RoomReadings roomReadings;
  public final RefuseSoldOut refuseSoldOut;
  public final EndLeases endLeases;
  public final GroupCommit groupCommit;
  final AdmissionCheck admissionCheck;
  public final FindClaim findClaim;
  public final ClaimCoupon claimCoupon;
  public final SuggestCoupons suggestCoupons;
  public final ReadOpenCoupons readOpenCoupons;
  public final CountClaims countClaims;
  public final ReadCurve readCurve;

  public final DefineCoupon defineCoupon;
  public final DefineCampaign defineCampaign;
  public final EditCoupon editCoupon;
  public final ChangeCoupon changeCoupon;
  public final ReadCoupon readCoupon;
  public final ListCoupons listCoupons;
  public final ArchiveCoupon archiveCoupon;
  public final ArchiveEndedCoupons archiveEndedCoupons;
  public final RehearsalClones rehearsalClones;
  public final RemoveRehearsal removeRehearsal;
  public final ReadRehearsals readRehearsals;
  public final ReadAudit readAudit;
  public final FindStrandedCoupons findStrandedCoupons;

  public final ProveExactness proveExactness;
  public final RunProofs runProofs;
  public final ReconcileCoupons reconcileCoupons;
  public final RecoverEveryPartition recoverEveryPartition;

  public final ListUserCoupons listUserCoupons;
  public final LookUpUserCoupons lookUpUserCoupons;
  public final QuoteUserCoupons quoteUserCoupons;
  public final TakeUserCoupon takeUserCoupon;
  public final TakeByCode takeByCode;
  public final EndRedemption endRedemption;
  public final FindRedemptions findRedemptions;
  public final ReleaseSlots releaseSlots;
  public final GiveBackUserCoupon giveBackUserCoupon;
  public final RevokeUserCoupon revokeUserCoupon;
  public final ExpireUserCoupons expireUserCoupons;
  public final ForgetWrongCodes forgetWrongCodes;
  public final EraseUsers eraseUsers;

  private final @Nullable HandoffUseCases handoff;

  private UseCases(
      InstanceSettings settings,
      PersistencePorts database,
      Map<StockBackend, CouponStock> stocks,
      CompareClocks clocks,
      @Nullable HandoffPorts handoffPorts,
      FencedCoupons fencedCoupons) {
    var clock = settings.clock();
    var limits = settings.limits();
    var observer = settings.observer();
    var codeKeys = settings.codeKeys();
    var coupons = database.coupons();
    var userCoupons = database.userCoupons();
    var lateClaims = database.lateClaims();
    var log = handoffPorts == null ? HandoffLog.none() : handoffPorts.log();
    var leases = handoffPorts == null ? SoldOutLeases.none() : handoffPorts.leases();

    catalog = new CouponCatalog(coupons, settings.maps(), settings.reading(), clock);
    stock = new RoutingCouponStock(stocks);
    var freeSlots = new FreeSlots(stock, knownEpochs);
    endLeases = new EndLeases(leases, knownEpochs, settings.processClock());
    stockSync = new StockSync(coupons, stock, knownEpochs, endLeases, clock, observer);
    keeper =
        handoffPorts == null ? StockKeeper.ofNothing() : keeper(settings, database, handoffPorts);
    arrivals = new RowArrivals(userCoupons, limits.recording());

    refuseSoldOut =
        new RefuseSoldOut(
            leases,
            knownEpochs,
            limits.soldOut(),
            settings.leasing(),
            settings.maps(),
            settings.processClock(),
            observer);
    groupCommit =
        new GroupCommit(
            stock::of, knownEpochs, codeKeys, limits.claims(), settings.claims(), observer);
    roomReadings = new RoomReadings(settings.processClock());
    admissionCheck =
        new AdmissionCheck(
            new Admissions(roomReadings, codeKeys),
            new EarlierClaims(
                stock::of,
                knownEpochs,
                limits.claims(),
                settings.reading(),
                settings.claims(),
                observer),
            keeper,
            clock);
    findClaim =
        new FindClaim(catalog, knownEpochs, userCoupons, lateClaims, stock, codeKeys, clock);
    claimCoupon =
        new ClaimCoupon(
            catalog,
            groupCommit,
            refuseSoldOut,
            admissionCheck,
            codeKeys,
            userCoupons,
            findClaim,
            arrivals,
            keeper,
            limits.claims(),
            clock,
            observer);
    suggestCoupons =
        new SuggestCoupons(new OpenCoupons(coupons, clock), findClaim, freeSlots, clock);
    // A list of its own: who asks for suggestions after a pause gets the coupons of that moment.
    readOpenCoupons = new ReadOpenCoupons(new OpenCoupons(coupons, clock), freeSlots, clock);

    countClaims = new CountClaims(database.curves(), clock);
    readCurve = new ReadCurve(coupons, database.curves(), clock);

    proveExactness =
        new ProveExactness(
            coupons,
            stock,
            log,
            userCoupons,
            lateClaims,
            new PendingErasures(database.erasures(), codeKeys),
            knownEpochs,
            clock,
            limits.comparison());
    runProofs = new RunProofs(proveExactness, settings.proofs(), clock, limits.comparison());
    reconcileCoupons =
        new ReconcileCoupons(
            coupons,
            proveExactness,
            stockSync,
            knownEpochs,
            keeper,
            observer,
            settings.reconciling());
    recoverEveryPartition = new RecoverEveryPartition(keeper, database.audit(), clock);

    defineCoupon =
        new DefineCoupon(
            coupons,
            catalog,
            stockSync,
            codeKeys,
            settings.partitionCount(),
            settings.backends(),
            clock);
    defineCampaign = new DefineCampaign(database.campaigns(), coupons, clock);
    editCoupon = new EditCoupon(coupons, stock, knownEpochs, catalog, stockSync, clock);
    changeCoupon = new ChangeCoupon(coupons, catalog, stockSync, clock);
    readCoupon = new ReadCoupon(coupons, catalog, freeSlots, userCoupons, clock);
    listCoupons = new ListCoupons(coupons, readCoupon, clock);
    archiveCoupon =
        new ArchiveCoupon(
            coupons,
            catalog,
            new ArchivePreconditions(
                coupons,
                stockSync,
                knownEpochs,
                database.epochs(),
                proveExactness,
                lateClaims,
                database.slotReturns()),
            stockSync,
            clock);
    archiveEndedCoupons =
        new ArchiveEndedCoupons(coupons, changeCoupon, archiveCoupon, clock, observer);
    rehearsalClones = new RehearsalClones(defineCoupon, changeCoupon, archiveCoupon, clock);
    removeRehearsal =
        new RemoveRehearsal(database.rehearsals(), rehearsalClones, handoffPorts != null);
    readRehearsals = new ReadRehearsals(database.rehearsals(), clock);
    readAudit = new ReadAudit(database.audit(), coupons, userCoupons);
    findStrandedCoupons = new FindStrandedCoupons(coupons, settings.backends());

    listUserCoupons = new ListUserCoupons(userCoupons, clock);
    lookUpUserCoupons = new LookUpUserCoupons(userCoupons, clock);
    quoteUserCoupons = new QuoteUserCoupons(catalog, userCoupons, clock);
    takeUserCoupon = new TakeUserCoupon(catalog, userCoupons, settings.ownersUse(), clock);
    takeByCode =
        new TakeByCode(
            takeUserCoupon, userCoupons, database.wrongCodes(), clock, limits.userCoupons());
    endRedemption = new EndRedemption(userCoupons, settings.ownersUse(), clock);
    findRedemptions = new FindRedemptions(userCoupons, clock);
    releaseSlots =
        new ReleaseSlots(
            catalog,
            database.slotReturns(),
            stock,
            knownEpochs,
            endLeases,
            limits.userCoupons(),
            observer);
    giveBackUserCoupon = new GiveBackUserCoupon(catalog, userCoupons, releaseSlots, clock);
    revokeUserCoupon = new RevokeUserCoupon(catalog, userCoupons, releaseSlots, clock);
    expireUserCoupons = new ExpireUserCoupons(userCoupons, clocks, limits.userCoupons());
    forgetWrongCodes = new ForgetWrongCodes(database.wrongCodes(), limits.userCoupons());
    eraseUsers =
        new EraseUsers(
            database.erasures(),
            coupons,
            stock,
            handoffPorts == null ? null : handoffPorts.rooms(),
            knownEpochs,
            log,
            settings.partitions(),
            codeKeys,
            handoffPorts != null,
            clock,
            settings.processClock());

    handoff =
        handoffPorts == null
            ? null
            : new HandoffUseCases(settings, database, handoffPorts, this, fencedCoupons);
  }

  /** The use cases of a deployment whose stock is in the database alone. */
  public static UseCases withDatabaseAlone(
      InstanceSettings settings,
      PersistencePorts database,
      CouponStock databaseStock,
      CompareClocks clocks) {
    return new UseCases(
        settings,
        database,
        Map.of(StockBackend.POSTGRES, databaseStock),
        clocks,
        null,
        new FencedCoupons());
  }

  /**
   * The use cases of a deployment with a separate stock that hands accepted claims off to the
   * database.
   *
   * @param fencedStock the stock whose partitions have fences
   * @param databaseStock the stock that is in the database
   */
  public static UseCases withHandoff(
      InstanceSettings settings,
      PersistencePorts database,
      HandoffPorts handoff,
      CouponStock fencedStock,
      CouponStock databaseStock,
      CompareClocks clocks) {
    var fencedCoupons = new FencedCoupons();
    var stocks =
        Map.of(
            StockBackend.REDIS,
            new FenceReportingStock(fencedStock, fencedCoupons),
            StockBackend.POSTGRES,
            databaseStock);
    return new UseCases(settings, database, stocks, clocks, handoff, fencedCoupons);
  }

  private StockKeeper keeper(
      InstanceSettings settings, PersistencePorts database, HandoffPorts handoffPorts) {
    var limits = settings.limits().recovery();
    var rebuildCoupon =
        new RebuildCoupon(
            handoffPorts.recovery(),
            stock,
            database.userCoupons(),
            database.lateClaims(),
            settings.codeKeys(),
            settings.clock(),
            settings.reading(),
            limits);
    return new StockKeeper(
        new RecoverStock(
            database.epochs(),
            knownEpochs,
            database.coupons(),
            database.lateClaims(),
            handoffPorts.recovery(),
            handoffPorts.log(),
            handoffPorts.queue(),
            rebuildCoupon,
            limits,
            settings.processClock(),
            settings.observer()),
        settings.partitions());
  }

  /**
   * The use cases that only a deployment with a hand-off has.
   *
   * @throws IllegalStateException if this deployment has no hand-off
   */
  public HandoffUseCases handoff() {
    if (handoff == null) {
      throw new IllegalStateException("no hand-off: the stock of all coupons is in the database");
    }
    return handoff;
  }
}
