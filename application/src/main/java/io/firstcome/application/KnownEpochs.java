package io.firstcome.application;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The epochs this instance last learnt from the database. One that is behind does no harm: the
 * stock backend refuses its calls until it has been read again.
 */
public final class KnownEpochs {

  private final ConcurrentHashMap<Partition, Epoch> epochs = new ConcurrentHashMap<>();

  /** The partition's epoch, {@link Epoch#NONE} while nothing is known. */
  public Epoch of(Partition partition) {
    return epochs.getOrDefault(partition, Epoch.NONE);
  }

  /** The stock of the coupon, in the epoch that is known if it has any. */
  public StockAddress address(Coupon coupon) {
    return switch (coupon.stockBackend()) {
      case REDIS -> new StockAddress(coupon.id(), coupon.partition(), of(coupon.partition()));
      case POSTGRES -> StockAddress.inDatabase(coupon.id(), coupon.partition());
    };
  }

  /** Has every call of the partition refused, until an epoch is learnt again. */
  void forget(Partition partition) {
    epochs.remove(partition);
  }

  void learn(Partition partition, Epoch epoch) {
    epochs.merge(partition, epoch, (known, told) -> told.isAfter(known) ? told : known);
  }
}
