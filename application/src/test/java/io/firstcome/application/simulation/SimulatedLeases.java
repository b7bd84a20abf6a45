package io.firstcome.application.simulation;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The epochs of a database, with recovery leases that can end while they are held. */
final class SimulatedLeases {

  private final PartitionEpochs epochs;
  private final List<Held> held = new ArrayList<>();

  SimulatedLeases(PartitionEpochs epochs) {
    this.epochs = epochs;
  }

  /** A recovery lease that an instance holds. */
  private final class Held implements PartitionEpochs.Lease {
    private final Schedule.Lifetime by;
    private final PartitionEpochs.Lease lease;

    Held(Schedule.Lifetime by, PartitionEpochs.Lease lease) {
      this.by = by;
      this.lease = lease;
    }

    @Override
    public void noteProgress() {
      lease.noteProgress();
    }

    @Override
    public void close() {
      held.remove(this);
      lease.close();
    }

    @Override
    public String toString() {
      return "the lease";
    }
  }

  /** The epochs as the port of one instance. */
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
      public Optional<Lease> tryAcquireLease(Partition partition) {
        return epochs.tryAcquireLease(partition).map(lease -> hold(lifetime, lease));
      }
    };
  }

  private PartitionEpochs.Lease hold(Schedule.Lifetime lifetime, PartitionEpochs.Lease lease) {
    var holding = new Held(lifetime, lease);
    held.add(holding);
    return holding;
  }

  boolean areHeld() {
    return !held.isEmpty();
  }

  /** Ends one lease, as when its connection ends. */
  void loseOne(Schedule schedule) {
    schedule.oneOf(held).close();
  }

  /** Ends all leases, as when all connections to the database end. */
  void endAll() {
    List.copyOf(held).forEach(Held::close);
  }

  /** Ends the leases of an instance. */
  void endThoseOf(Schedule.Lifetime instance) {
    held.stream().filter(lease -> lease.by == instance).toList().forEach(Held::close);
  }

  /** Ends the leases of instances that have died. */
  void endThoseOfTheDead() {
    held.stream().filter(lease -> lease.by.isOver()).toList().forEach(Held::close);
  }
}
