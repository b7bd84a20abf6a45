package io.firstcome.bootstrap.trace;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;

/**
 * The decision which claims are in traces. It depends on coupon and user alone, so that each
 * instance makes the same one at each step, and nothing is added to a log entry or a message.
 */
final class Sampling {

  private static final int HASH_BITS = 32;

  /** Hashes below it are sampled. */
  private final long threshold;

  /**
   * @param probability that a claim is sampled: from 0 to 1
   */
  Sampling(double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new InvalidSettingException(
          "management.tracing.sampling.probability must be from 0 to 1: " + probability);
    }
    threshold = Math.round(probability * (1L << HASH_BITS));
  }

  boolean includes(CouponId couponId, UserId user) {
    int hash = 31 * couponId.value().hashCode() + user.value().hashCode();
    return Integer.toUnsignedLong(mixed(hash)) < threshold;
  }

  /**
   * The finalizer of MurmurHash3: ids that follow each other get hashes that do not.
   *
   * @see <a href="https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp">Austin
   *     Appleby, MurmurHash3</a>
   */
  private static int mixed(int hash) {
    int h = hash;
    h ^= h >>> 16;
    h *= 0x85ebca6b;
    h ^= h >>> 13;
    h *= 0xc2b2ae35;
    h ^= h >>> 16;
    return h;
  }
}
