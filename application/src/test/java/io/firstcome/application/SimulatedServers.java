package io.firstcome.application;

import io.firstcome.contracts.broker.InMemoryBroker;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
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
  private static final int MAX_STEPS_AWAY = 40;

  final InMemoryStockBackend stock;
  final InMemoryDatabase database = new InMemoryDatabase();
  final InMemoryBroker broker = new InMemoryBroker();
  final SimulatedRights rights = new SimulatedRights(database.epochs());

  private final Schedule schedule;
  private final SimulatedNetwork network;
  private final AnswerRecord record;
  private final List<Coupon> coupons;
  private final List<UserId> users;

  private final List<InMemoryStockBackend.Copy> stockCopies = new ArrayList<>();
  private final List<InMemoryDatabase.Backup> backups = new ArrayList<>();
  private InMemoryStockBackend.@Nullable Copy leftMaster;
  private final Set<Partition> waitingForOperator = new HashSet<>();
  private int databaseBackAt;
  private int brokerBackAt;
  private boolean databaseAway;
  private boolean failedBack;

  SimulatedServers(
      Schedule schedule,
      SimulatedNetwork network,
      InstantSource clock,
      AnswerRecord record,
      List<Coupon> coupons,
      List<UserId> users) {
    this.schedule = schedule;
    this.network = network;
    this.record = record;
    this.coupons = coupons;
    this.users = users;
    stock = new InMemoryStockBackend(clock, 2 + schedule.below(9));
    coupons.forEach(database.coupons()::addIfAbsent);
  }

  /** What time brings: copies are made, and servers that were away come back. */
  void timePasses() {
    if (schedule.chance(0.05)) {
      keep(stockCopies, stock.copy());
    }
    if (schedule.chance(0.03)) {
      keep(backups, database.backUp());
    }
    if (databaseAway && schedule.step() >= databaseBackAt) {
      databaseComesBack();
    }
    if (schedule.step() >= brokerBackAt) {
      brokerComesBack();
    }
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

  void recoveredByOperator(Partition partition) {
    waitingForOperator.remove(partition);
  }

  /** Whether nothing is on its way any more. */
  boolean areAtRest(List<Partition> all) {
    return broker.waiting() == 0
        && broker.heldCount() == 0
        && waitingForOperator.isEmpty()
        && all.stream().allMatch(this::isAtRest);
  }

  private boolean isAtRest(Partition partition) {
    var epoch = database.epochs().current(partition);
    return stock.recovery().fence(partition).isOpenAt(epoch)
        && stock.log().depth(partition).entries() == 0
        && database.lateClaims().next(partition, 1).isEmpty();
  }

  void strike(Fault fault) {
    switch (fault) {
      case MESSAGES_DOUBLED -> {
        if (broker.waitingEntries().size() < MANY_MESSAGES) {
          toMessages(fault, broker.waitingEntries().size(), broker::duplicateWaiting);
        }
      }
      case MESSAGES_SHUFFLED ->
          toMessages(
              fault,
              broker.waitingEntries().size() - 1,
              () -> broker.shuffleWaiting(schedule.random()));
      case MESSAGES_REDELIVERED -> toMessages(fault, broker.heldCount(), broker::giveBackAll);
      case BROKER_WIPED -> destroy(fault, broker::wipe);
      case MESSAGES_UNCONFIRMED -> struck(fault, () -> broker.failNextAfter(schedule.below(3)));
      case BROKER_UNROUTED -> brokerGoes(fault, () -> broker.setRouted(false));
      case BROKER_AWAY -> brokerGoes(fault, () -> broker.setAvailable(false));
      case DATABASE_AWAY -> databaseGoes(fault);
      case RIGHT_LOST -> {
        if (rights.loseOne(schedule)) {
          schedule.struck(fault, "");
        }
      }
      case STOCK_RESTARTED -> struck(fault, stock::restart);
      case STOCK_EMPTIED -> destroyStock(fault, stock::wipe);
      case STOCK_SET_BACK -> setStockBack();
      case STOCK_FAILED_BACK -> failStockBack();
      case DATABASE_SET_BACK -> setDatabaseBack();
      default -> throw new IllegalArgumentException("not a server's fault: " + fault);
    }
  }

  private void struck(Fault fault, Runnable effect) {
    effect.run();
    schedule.struck(fault, "");
  }

  private void toMessages(Fault fault, int messages, Runnable effect) {
    if (messages > 0) {
      struck(fault, effect);
    }
  }

  private void brokerGoes(Fault fault, Runnable effect) {
    brokerBackAt = schedule.step() + 1 + schedule.below(MAX_STEPS_AWAY);
    struck(fault, effect);
  }

  private void databaseGoes(Fault fault) {
    databaseAway = true;
    databaseBackAt = schedule.step() + 1 + schedule.below(MAX_STEPS_AWAY);
    rights.endAll();
    struck(fault, database::goAway);
  }

  private void setStockBack() {
    if (!stockCopies.isEmpty()) {
      var left = stock.copy();
      if (destroyStock(Fault.STOCK_SET_BACK, () -> stock.setBackTo(schedule.oneOf(stockCopies)))) {
        leftMaster = left;
      }
    }
  }

  private void failStockBack() {
    var master = leftMaster;
    if (master != null && destroyStock(Fault.STOCK_FAILED_BACK, () -> stock.failBackTo(master))) {
      leftMaster = null;
      failedBack = true;
    }
  }

  /**
   * While the database lacks what only the stock has, losing that too is the loss of two servers at
   * once, which nothing is promised for.
   */
  private boolean destroyStock(Fault fault, Runnable effect) {
    boolean may = waitingForOperator.isEmpty();
    if (may) {
      record.dataDestroyed();
      destroy(fault, effect);
    }
    return may;
  }

  private void setDatabaseBack() {
    boolean open =
        !databaseAway
            && partitions().stream()
                .allMatch(partition ->
                    stock
                        .recovery()
                        .fence(partition)
                        .isOpenAt(database.epochs().current(partition)));
    if (open && waitingForOperator.isEmpty() && !backups.isEmpty()) {
      destroy(
          Fault.DATABASE_SET_BACK,
          () -> {
            record.databaseWasSetBack();
            record.dataDestroyed();
            database.restore(schedule.oneOf(backups));
            rights.endAll();
            network.forgetLateCallsOf(SimulatedNetwork.Server.DATABASE);
          });
      waitingForOperator.addAll(partitions());
    }
  }

  private Set<Partition> partitions() {
    var partitions = new HashSet<Partition>();
    coupons.forEach(coupon -> partitions.add(coupon.partition()));
    return partitions;
  }

  /** Sees to it that what the effect destroys is on record. */
  private void destroy(Fault fault, Runnable effect) {
    var before = inDatabase(this::traces);
    effect.run();
    schedule.struck(fault, "");
    before.tellLosses(inDatabase(this::traces), record);
  }

  private ClaimTraces traces() {
    return ClaimTraces.of(stock, database, broker, coupons, users);
  }
}
