package io.firstcome.application.stock;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The epochs that this instance last read from the database. An outdated one is safe: the stock
 * backend refuses its calls until it is read again.
 */
public final class KnownEpochs {

  private final ConcurrentHashMap<Partition, Epoch> epochs = new ConcurrentHashMap<>();

  /** The partition's epoch, {@link Epoch#NONE} while it is not known. */
  public Epoch of(Partition partition) {
    return epochs.getOrDefault(partition, Epoch.NONE);
  }

  /** The address of the coupon's stock, with the known epoch if its backend has epochs. */
  public StockAddress address(Coupon coupon) {
    return switch (coupon.stockBackend()) {
      case REDIS -> new StockAddress(coupon.id(), coupon.partition(), of(coupon.partition()));
      case POSTGRES -> StockAddress.inDatabase(coupon.id(), coupon.partition());
    };
  }

  /** Forgets the partition's epoch: its calls are refused until an epoch is learnt again. */
  public void forget(Partition partition) {
    epochs.remove(partition);
  }

  public void learn(Partition partition, Epoch epoch) {
    epochs.merge(partition, epoch, (known, learnt) -> learnt.isAfter(known) ? learnt : known);
  }
}
