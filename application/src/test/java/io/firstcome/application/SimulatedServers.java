package io.firstcome.application;

import static java.util.Objects.requireNonNull;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.ArchiveClearing;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockFencedException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The three servers of a simulated history, and what befalls them. */
final class SimulatedServers {

  private static final int COPIES = 5;
  private static final int MANY_MESSAGES = 20;
  private static final int MAX_STEPS_AWAY = 30;

  final InMemoryStockBackend stock;
  final InMemoryDatabase database;
  final InMemoryBroker broker = new InMemoryBroker();
  final SimulatedListeners listeners = new SimulatedListeners();
  final SimulatedRights rights;

  private final Schedule schedule;
  private final SimulatedNetwork network;
  private final AnswerRecord record;
  private final List<Partition> partitions;
  private final List<Coupon> coupons;
  private final List<UserId> users;

  private final List<InMemoryStockBackend.Copy> stockCopies = new ArrayList<>();
  private final List<InMemoryDatabase.Backup> backups = new ArrayList<>();
  private final List<InMemoryDatabase.Backup> pasts = new ArrayList<>();
  private InMemoryStockBackend.@Nullable Copy leftMaster;
  private final Set<Partition> waitingForOperator = new HashSet<>();
  private int databaseSetBacks;
  private int databaseBackAt;
  private int brokerBackAt;
  private boolean databaseAway;
  private boolean failedBack;
  private long forgetsBackupsAt;

  SimulatedServers(
      Schedule schedule,
      SimulatedNetwork network,
      InstantSource clock,
      AnswerRecord record,
      List<Partition> partitions,
      List<Coupon> coupons,
      List<UserId> users) {
    this.schedule = schedule;
    this.network = network;
    this.record = record;
    this.partitions = partitions;
    this.coupons = coupons;
    this.users = users;
    database = new InMemoryDatabase(clock);
    rights = new SimulatedRights(database.epochs());
    stock = new InMemoryStockBackend(clock, 2 + schedule.below(30));
    coupons.forEach(
        coupon -> database.coupons().addIfAbsent(coupon, CouponFixtures.OPERATOR, clock.instant()));
  }

  /** What time brings: copies are made, and servers that were away come back. */
  void timePasses() {
    if (schedule.chance(0.05)) {
      keep(stockCopies, stock.copy());
    }
    if (forgetsBackupsAt < archived()) {
      forgetsBackupsAt = archived();
      backups.clear();
    }
    if (schedule.chance(0.05)) {
      keep(backups, database.backUp());
    }
    if (databaseAway && schedule.step() >= databaseBackAt) {
      databaseComesBack();
    }
    if (schedule.step() >= brokerBackAt) {
      brokerComesBack();
    }
  }

  /** What a restored database may know of operators' changes. */
  void keepPast() {
    if (schedule.chance(0.05)) {
      keep(pasts, database.backUp());
    }
  }

  /**
   * The database forgets what operators have changed lately, if no recovery has come since. Where
   * it was set back before, the ledger alone may have known of returns, and an archiving that is
   * forgotten has taken the ledger.
   */
  void loseChanges() {
    if (!databaseAway && !pasts.isEmpty()) {
      loseChanges(schedule.oneOf(pasts));
    }
  }

  void loseChanges(InMemoryDatabase.Backup since) {
    if (databaseSetBacks == 0 && database.forgetChanges(since)) {
      schedule.struck(Fault.CHANGES_LOST, "");
      record.dataDestroyed();
      if (archived() < forgetsBackupsAt) {
        forgetsBackupsAt = archived();
        backups.clear();
      }
    }
  }

  /**
   * The stock cannot fill the gaps of a backup that is older than an archiving: nobody uses one.
   */
  private long archived() {
    return inDatabase(
        () -> coupons.stream().filter(coupon -> statusOf(coupon) == CouponStatus.ARCHIVED).count());
  }

  CouponStatus statusOf(Coupon coupon) {
    return database.coupons().find(coupon.id()).orElseThrow().status();
  }

  private <T> void keep(List<T> copies, T copy) {
    if (copies.size() == COPIES) {
      copies.remove(schedule.below(COPIES));
    }
    copies.add(copy);
  }

  boolean isDatabaseAway() {
    return databaseAway;
  }

  /** Everything is there again. */
  void comeBack() {
    databaseComesBack();
    brokerComesBack();
  }

  private void databaseComesBack() {
    databaseAway = false;
    database.comeBack();
  }

  private void brokerComesBack() {
    broker.setAvailable(true);
    broker.setRouted(true);
  }

  /** Partitions whose database was set back, which the operator has not yet had recovered. */
  Set<Partition> waitingForOperator() {
    return Set.copyOf(waitingForOperator);
  }

  /** Whether that stock is of a master that came back after others had gone on without it. */
  boolean isDeposed(StockAddress coupon) {
    return failedBack
        && inDatabase(() -> database.epochs().current(coupon.partition())).isAfter(coupon.epoch());
  }

  /** Looks into the database, whether it is away or not. */
  private <T> T inDatabase(Supplier<T> look) {
    database.comeBack();
    try {
      return look.get();
    } finally {
      if (databaseAway) {
        database.goAway();
      }
    }
  }

  int databaseSetBacks() {
    return databaseSetBacks;
  }

  /**
   * The partition waits no more, unless the database was set back again since that recovery began.
   *
   * @param setBacks {@link #databaseSetBacks} when it began
   */
  void recoveredByOperator(Partition partition, int setBacks) {
    if (setBacks == databaseSetBacks) {
      waitingForOperator.remove(partition);
    }
  }

  /** Whether nothing is on its way any more. */
  boolean areAtRest() {
    return broker.waiting() == 0
        && broker.heldCount() == 0
        && waitingForOperator.isEmpty()
        && database.slotReturns().pending(null, 1).isEmpty()
        && database.coupons().notYetInStock(null, 1).isEmpty()
        && partitions.stream().allMatch(this::isAtRest)
        && coupons.stream().allMatch(this::hasItsTerms);
  }

  private boolean hasItsTerms(Coupon coupon) {
    var stored = database.coupons().find(coupon.id()).orElseThrow();
    try {
      var epoch = database.epochs().current(coupon.partition());
      var address = new StockAddress(coupon.id(), coupon.partition(), epoch);
      return stored.status() == CouponStatus.ARCHIVED
          || stock.stock().terms(address).equals(StockTerms.of(stored));
    } catch (StockFencedException e) {
      return false;
    }
  }

  /** Whether the stock may still have archived coupons of an older state. */
  boolean haveToClear() {
    return !partitions.stream().allMatch(this::isCleared);
  }

  private boolean isCleared(Partition partition) {
    var epoch = database.epochs().current(partition);
    return stock.recovery().clearing(partition, epoch).equals(new ArchiveClearing.Done());
  }

  private boolean isAtRest(Partition partition) {
    return isOpen(partition)
        && stock.log().depth(partition).entries() == 0
        && database.lateClaims().next(partition, null, 1).isEmpty();
  }

  /**
   * Lets the fault happen if it can now.
   *
   * @return whether it has
   */
  boolean strike(Fault fault) {
    if (!canStrike(fault)) {
      return false;
    }
    var before = inDatabase(this::traces);
    switch (fault) {
      case MESSAGES_DOUBLED -> broker.duplicateWaiting();
      case MESSAGES_SHUFFLED -> broker.shuffleWaiting(schedule.random());
      case MESSAGES_REDELIVERED -> broker.giveBackAll();
      case MESSAGES_UNCONFIRMED -> broker.failNextAfter(schedule.below(3));
      case BROKER_WIPED -> broker.wipe();
      case BROKER_UNROUTED -> brokerGoes(() -> broker.setRouted(false));
      case BROKER_AWAY -> brokerGoes(() -> broker.setAvailable(false));
      case STOCK_RESTARTED -> stock.restart();
      case STOCK_EMPTIED -> stock.wipe();
      case STOCK_SET_BACK -> setStockBack();
      case STOCK_FAILED_BACK -> failStockBack(requireNonNull(leftMaster));
      case DATABASE_AWAY -> databaseGoes();
      case DATABASE_SET_BACK -> setDatabaseBack();
      case RIGHT_LOST -> rights.loseOne(schedule);
      default -> throw new IllegalArgumentException("not a server's fault: " + fault);
    }
    schedule.struck(fault, "");
    if (Weather.isOfData(fault)) {
      record.dataDestroyed();
    }
    before.tellLosses(inDatabase(this::traces), record);
    return true;
  }

  /**
   * While the database lacks what only the stock has, losing that too would be the loss of two
   * servers at once, which nothing is promised for.
   */
  private boolean canStrike(Fault fault) {
    int waiting = broker.waitingEntries().size();
    return switch (fault) {
      case MESSAGES_DOUBLED -> waiting > 0 && waiting < MANY_MESSAGES;
      case MESSAGES_SHUFFLED -> waiting > 1;
      case MESSAGES_REDELIVERED -> broker.heldCount() > 0;
      case STOCK_RESTARTED -> isWorstMoment();
      case STOCK_EMPTIED -> waitingForOperator.isEmpty() && isWorstMoment();
      case STOCK_SET_BACK ->
          waitingForOperator.isEmpty() && !stockCopies.isEmpty() && isWorstMoment();
      case STOCK_FAILED_BACK ->
          waitingForOperator.isEmpty() && leftMaster != null && isWorstMoment();
      case DATABASE_SET_BACK ->
          waitingForOperator.isEmpty() && !backups.isEmpty() && !databaseAway && isStockOpen();
      case RIGHT_LOST -> rights.areHeld();
      default -> true;
    };
  }

  /** Some time from now, or as soon as a recovery is under way. */
  private boolean isWorstMoment() {
    return schedule.chance(rights.areHeld() ? 0.2 : 0.02);
  }

  private boolean isStockOpen() {
    return partitions.stream().allMatch(this::isOpen);
  }

  private boolean isOpen(Partition partition) {
    return stock.recovery().fence(partition).isOpenAt(database.epochs().current(partition));
  }

  /** Messages that a recorder had and did not acknowledge wait again. */
  void giveBack(List<InMemoryBroker.Delivery> deliveries) {
    int held = broker.heldCount();
    deliveries.forEach(broker::giveBack);
    if (broker.heldCount() < held) {
      schedule.struck(Fault.MESSAGES_REDELIVERED, "");
    }
  }

  private void brokerGoes(Runnable effect) {
    brokerBackAt = schedule.step() + 1 + schedule.below(MAX_STEPS_AWAY);
    effect.run();
  }

  private void databaseGoes() {
    databaseAway = true;
    databaseBackAt = schedule.step() + 1 + schedule.below(MAX_STEPS_AWAY);
    rights.endAll();
    database.goAway();
  }

  private void setStockBack() {
    leftMaster = stock.copy();
    stock.setBackTo(schedule.oneOf(stockCopies));
  }

  private void failStockBack(InMemoryStockBackend.Copy master) {
    stock.failBackTo(master);
    leftMaster = null;
    failedBack = true;
  }

  private void setDatabaseBack() {
    record.databaseWasSetBack();
    database.restore(schedule.oneOf(backups));
    rights.endAll();
    network.forgetLateCallsOf(SimulatedNetwork.Server.DATABASE);
    databaseSetBacks++;
    waitingForOperator.addAll(partitions);
  }

  private ClaimTraces traces() {
    return ClaimTraces.of(stock, database, broker, coupons, users);
  }
}
