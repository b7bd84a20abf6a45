package io.firstcome.application.simulation;

import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.StockAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The three servers of a simulated history, and their faults. */
final class SimulatedServers {

  private static final int MANY_MESSAGES = 20;
  private static final int MAX_STEPS_AWAY = 30;
  private static final int FEW_STEPS = 60;
  private static final int MANY_STEPS = 400;

  final InMemoryStockBackend stock;
  final InMemoryDatabase database;
  final InMemoryBroker broker = new InMemoryBroker();
  final SimulatedDeliveries deliveries;
  final SimulatedListeners listeners = new SimulatedListeners();
  final SimulatedLeases leases;
  final SimulatedErasures erasures;
  final SimulatedServerClock stockClock;
  final SimulatedServerClock databaseClock;

  private final SimulationSetting setting;
  private final Schedule schedule;
  private final SimulatedNetwork network;
  private final AnswerRecord record;
  private final SimulatedBackups backups;
  private final Set<Partition> waitingForOperator = new HashSet<>();
  private int databaseSetBacks;
  private int databaseBackAt;
  private int brokerBackAt;
  private boolean databaseUnreachable;
  private boolean failedBack;

  SimulatedServers(
      SimulationSetting setting,
      SimulatedNetwork network,
      SimulatedServerClock stockClock,
      SimulatedServerClock databaseClock) {
    this.setting = setting;
    this.network = network;
    this.stockClock = stockClock;
    this.databaseClock = databaseClock;
    schedule = setting.schedule();
    record = setting.record();
    deliveries = new SimulatedDeliveries(broker, schedule);
    database = new InMemoryDatabase(databaseClock);
    leases = new SimulatedLeases(database.epochs());
    erasures = new SimulatedErasures(database.erasures(), setting.coupons());
    network.erasuresBlock(erasures::block);
    stock = new InMemoryStockBackend(stockClock, 2 + schedule.below(30));
    backups = new SimulatedBackups(schedule, stock, database);
    var now = setting.time().instant();
    setting
        .coupons()
        .forEach(coupon -> database.coupons().addIfAbsent(coupon, CouponFixtures.OPERATOR, now));
  }

  /** Makes copies, and ends outages and wrong clocks at their time. */
  void timePasses() {
    backups.timePasses(archived());
    network.couponLock().timePasses();
    if (databaseUnreachable && schedule.step() >= databaseBackAt) {
      databaseComesBack();
    }
    if (schedule.step() >= brokerBackAt) {
      brokerComesBack();
    }
    stockClock.timePasses();
    databaseClock.timePasses();
  }

  /**
   * Ends the sessions of a frozen instance and resumes it at their times, also when no faults
   * occur.
   */
  void timePassesForTheFrozen() {
    network
        .freezes()
        .timePasses(this::sessionsEnd, caller -> deliveries.endAllOf(caller.lifetime()));
  }

  private void sessionsEnd(Caller caller) {
    leases.endThoseOf(caller.lifetime());
    erasures.endThoseOf(caller);
    if (network.isPublishing(caller)) {
      database.endPublishing();
    }
  }

  /** At times keeps a state of the database for {@link #loseChanges()}. */
  void keepPast() {
    backups.keepPast();
  }

  /**
   * The database loses the latest changes by operators, if no recovery has run since. Not after a
   * restore of the database: then only the ledger may know of returns, and an archiving that is
   * lost has removed the ledger.
   */
  void loseChanges() {
    var past = backups.somePast();
    if (!databaseUnreachable && past != null) {
      loseChanges(past);
    }
  }

  void loseChanges(InMemoryDatabase.Backup since) {
    if (databaseSetBacks == 0 && database.forgetChanges(since)) {
      schedule.struck(SimulatedFault.CHANGES_LOST, "");
      record.dataDestroyed();
      backups.changesAreForgotten(archived());
    }
  }

  private long archived() {
    return inDatabase(() ->
        setting.coupons().stream()
            .filter(coupon -> statusOf(coupon) == CouponStatus.ARCHIVED)
            .count());
  }

  CouponStatus statusOf(Coupon coupon) {
    return database.coupons().find(coupon.id()).orElseThrow().status();
  }

  /** The current and former owners of the slots of all coupons. */
  Stream<SlotOwner> slotOwners() {
    return setting.coupons().stream()
        .flatMap(coupon -> database.userCoupons().slotOwners(coupon.id(), null, 1_000).stream());
  }

  boolean isDatabaseAway() {
    return databaseUnreachable;
  }

  /** Ends all outages, wrong clocks and locks. */
  void reconnect() {
    databaseComesBack();
    brokerComesBack();
    stockClock.reconnect();
    databaseClock.reconnect();
    network.couponLock().end();
  }

  private void databaseComesBack() {
    databaseUnreachable = false;
    database.reconnect();
  }

  private void brokerComesBack() {
    broker.setAvailable(true);
    broker.setRouted(true);
  }

  /** Partitions that an operator has not yet recovered after a restore of the database. */
  Set<Partition> waitingForOperator() {
    return Set.copyOf(waitingForOperator);
  }

  /** Whether the stock is on a replaced master that came back. */
  boolean isDeposed(StockAddress coupon) {
    return failedBack
        && inDatabase(() -> database.epochs().current(coupon.partition())).isAfter(coupon.epoch());
  }

  /** Reads from the database, whether it is reachable or not. */
  private <T> T inDatabase(Supplier<T> look) {
    database.reconnect();
    try {
      return look.get();
    } finally {
      if (databaseUnreachable) {
        database.disconnect();
      }
    }
  }

  int databaseSetBacks() {
    return databaseSetBacks;
  }

  /**
   * The partition no longer waits for an operator, unless the database was restored again after
   * that recovery began.
   *
   * @param setBacks {@link #databaseSetBacks} when it began
   */
  void recoveredByOperator(Partition partition, int setBacks) {
    if (setBacks == databaseSetBacks) {
      waitingForOperator.remove(partition);
    }
  }

  /**
   * Applies the fault if it is possible now.
   *
   * @return whether it was applied
   */
  boolean strike(SimulatedFault fault) {
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
      case BROKER_UNROUTED -> interruptBroker(() -> broker.setRouted(false));
      case BROKER_UNREACHABLE -> interruptBroker(() -> broker.setAvailable(false));
      case STOCK_RESTARTED -> stock.restart();
      case STOCK_EMPTIED -> stock.wipe();
      case STOCK_SET_BACK -> backups.setStockBack();
      case STOCK_FAILED_BACK -> {
        backups.failStockBack();
        failedBack = true;
      }
      case STOCK_CLOCK_JUMPS -> stockClock.jump(stepsOfAJump());
      case DATABASE_CLOCK_JUMPS -> databaseClock.jump(stepsOfAJump());
      case SCRIPTS_LOST -> network.scripts().lose();
      case DATABASE_UNREACHABLE -> interruptDatabase();
      case DATABASE_SET_BACK -> setDatabaseBack();
      case LEASE_LOST -> leases.loseOne(schedule);
      default -> throw new IllegalArgumentException("not a server's fault: " + fault);
    }
    schedule.struck(fault, "");
    if (FaultProfile.isOfData(fault)) {
      record.dataDestroyed();
    }
    before.tellLosses(inDatabase(this::traces), record);
    return true;
  }

  /**
   * Excludes the loss of the stock's data while the database lacks data that only the stock has: no
   * guarantee covers the loss of two servers at the same time.
   */
  private boolean canStrike(SimulatedFault fault) {
    int waiting = broker.waitingEntries().size();
    return switch (fault) {
      case MESSAGES_DOUBLED -> waiting > 0 && waiting < MANY_MESSAGES;
      case MESSAGES_SHUFFLED -> waiting > 1;
      case MESSAGES_REDELIVERED -> broker.heldCount() > 0;
      case STOCK_RESTARTED -> isWorstMoment();
      case STOCK_EMPTIED -> waitingForOperator.isEmpty() && isWorstMoment();
      case STOCK_SET_BACK ->
          waitingForOperator.isEmpty() && backups.areOfStock() && isWorstMoment();
      case STOCK_FAILED_BACK ->
          waitingForOperator.isEmpty() && backups.isMasterLeft() && isWorstMoment();
      case DATABASE_SET_BACK ->
          waitingForOperator.isEmpty()
              && backups.areOfDatabase()
              && !databaseUnreachable
              && setting.partitions().stream().allMatch(this::isOpen);
      case STOCK_CLOCK_JUMPS -> !stockClock.isWrong() || schedule.chance(0.1);
      case DATABASE_CLOCK_JUMPS -> !databaseClock.isWrong() || schedule.chance(0.1);
      case LEASE_LOST -> leases.areHeld();
      default -> true;
    };
  }

  /** Rarely true, but often while a recovery is running or an instance is frozen. */
  private boolean isWorstMoment() {
    return schedule.chance(leases.areHeld() || network.freezes().isAnyFrozen() ? 0.2 : 0.02);
  }

  boolean isOpen(Partition partition) {
    return stock.recovery().fence(partition).isOpenAt(database.epochs().current(partition));
  }

  private int stepsOfAJump() {
    return 1 + schedule.below(schedule.chance(0.5) ? FEW_STEPS : MANY_STEPS);
  }

  private void interruptBroker(Runnable effect) {
    brokerBackAt = schedule.step() + 1 + schedule.below(MAX_STEPS_AWAY);
    effect.run();
  }

  private void interruptDatabase() {
    databaseUnreachable = true;
    databaseBackAt = schedule.step() + 1 + schedule.below(MAX_STEPS_AWAY);
    allSessionsEnd();
    database.disconnect();
  }

  /** Nobody can fill the gap of an erased user: the stock has only the pseudonym. */
  private void setDatabaseBack() {
    record.databaseWasSetBack();
    setting.coupons().forEach(coupon -> record.erasedAreForgotten(coupon.id()));
    backups.setDatabaseBack();
    allSessionsEnd();
    network.forgetLateCallsOf(SimulatedNetwork.Server.DATABASE);
    databaseSetBacks++;
    waitingForOperator.addAll(setting.partitions());
  }

  private void allSessionsEnd() {
    network.couponLock().end();
    leases.endAll();
    erasures.endAll();
    database.endPublishing();
    network.freezes().endSessions();
  }

  private ClaimTraces traces() {
    return ClaimTraces.of(stock, database, broker, setting.coupons(), setting.users());
  }
}
