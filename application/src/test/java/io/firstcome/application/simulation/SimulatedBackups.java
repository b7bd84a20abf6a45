package io.firstcome.application.simulation;

import static java.util.Objects.requireNonNull;

import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.contracts.stock.InMemoryStockBackend;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A few earlier states of the stock and of the database that can be restored. */
final class SimulatedBackups {

  private static final int COPIES = 5;
  private static final double CHANCE = 0.05;

  private final Schedule schedule;
  private final InMemoryStockBackend stock;
  private final InMemoryDatabase database;
  private final List<InMemoryStockBackend.Copy> ofStock = new ArrayList<>();
  private final List<InMemoryDatabase.Backup> ofDatabase = new ArrayList<>();
  private final List<InMemoryDatabase.Backup> pasts = new ArrayList<>();
  private InMemoryStockBackend.@Nullable Copy replacedMaster;
  private long archived;

  SimulatedBackups(Schedule schedule, InMemoryStockBackend stock, InMemoryDatabase database) {
    this.schedule = schedule;
    this.stock = stock;
    this.database = database;
  }

  /**
   * At times makes copies. Backups of the database from before an archiving are dropped, because
   * the stock no longer has the data to fill their gaps.
   *
   * @param nowArchived how many coupons are archived
   */
  void timePasses(long nowArchived) {
    if (schedule.chance(CHANCE)) {
      keep(ofStock, stock.copy());
    }
    if (archived < nowArchived) {
      archived = nowArchived;
      ofDatabase.clear();
    }
    if (schedule.chance(CHANCE)) {
      keep(ofDatabase, database.backUp());
    }
  }

  /** At times keeps a state of the database for {@link #somePast}. */
  void keepPast() {
    if (schedule.chance(CHANCE)) {
      keep(pasts, database.backUp());
    }
  }

  private <T> void keep(List<T> copies, T copy) {
    if (copies.size() == COPIES) {
      copies.remove(schedule.below(COPIES));
    }
    copies.add(copy);
  }

  InMemoryDatabase.@Nullable Backup somePast() {
    return pasts.isEmpty() ? null : schedule.oneOf(pasts);
  }

  /** The database has lost changes by operators, which may include an archiving. */
  void changesAreForgotten(long nowArchived) {
    if (nowArchived < archived) {
      archived = nowArchived;
      ofDatabase.clear();
    }
  }

  boolean areOfStock() {
    return !ofStock.isEmpty();
  }

  boolean areOfDatabase() {
    return !ofDatabase.isEmpty();
  }

  /** Whether there is a replaced master that can come back. */
  boolean isMasterLeft() {
    return replacedMaster != null;
  }

  void setStockBack() {
    replacedMaster = stock.copy();
    stock.setBackTo(schedule.oneOf(ofStock));
  }

  /** The replaced master comes back. */
  void failStockBack() {
    stock.failBackTo(requireNonNull(replacedMaster));
    replacedMaster = null;
  }

  void setDatabaseBack() {
    database.restore(schedule.oneOf(ofDatabase));
  }
}
