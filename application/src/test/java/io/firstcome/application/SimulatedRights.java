package io.firstcome.application;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The epochs of a database whose rights to recover can end under those who have them. */
final class SimulatedRights {

  private final PartitionEpochs epochs;
  private final List<Held> held = new ArrayList<>();

  SimulatedRights(PartitionEpochs epochs) {
    this.epochs = epochs;
  }

  /** A right in the hands of an instance. */
  private final class Held implements PartitionEpochs.RecoveryRight {
    private final Schedule.Lifetime by;
    private final PartitionEpochs.RecoveryRight right;

    Held(Schedule.Lifetime by, PartitionEpochs.RecoveryRight right) {
      this.by = by;
      this.right = right;
    }

    @Override
    public void goesOn() {
      right.goesOn();
    }

    @Override
    public void close() {
      held.remove(this);
      right.close();
    }

    @Override
    public String toString() {
      return "the right";
    }
  }

  /** The epochs as an instance asks for them. */
  PartitionEpochs of(Schedule.Lifetime lifetime) {
    return new PartitionEpochs() {
      @Override
      public Epoch current(Partition partition) {
        return epochs.current(partition);
      }

      @Override
      public boolean raise(Partition partition, Epoch epoch) {
        return epochs.raise(partition, epoch);
      }

      @Override
      public Optional<RecoveryRight> tryToRecover(Partition partition) {
        return epochs.tryToRecover(partition).map(right -> hold(lifetime, right));
      }
    };
  }

  private PartitionEpochs.RecoveryRight hold(
      Schedule.Lifetime lifetime, PartitionEpochs.RecoveryRight right) {
    var holding = new Held(lifetime, right);
    held.add(holding);
    return holding;
  }

  boolean areHeld() {
    return !held.isEmpty();
  }

  /** One right ends, as with the connection that held it. */
  void loseOne(Schedule schedule) {
    schedule.oneOf(held).close();
  }

  /** All rights end, as with the database's connections. */
  void endAll() {
    List.copyOf(held).forEach(Held::close);
  }

  /** The rights of an instance end. */
  void endThoseOf(Schedule.Lifetime instance) {
    held.stream().filter(right -> right.by == instance).toList().forEach(Held::close);
  }

  /** The rights of an instance that has died end. */
  void endThoseOfTheDead() {
    held.stream().filter(right -> right.by.isOver()).toList().forEach(Held::close);
  }
}
