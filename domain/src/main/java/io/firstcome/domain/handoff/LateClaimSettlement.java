package io.firstcome.domain.handoff;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settlement of late claims of one coupon, as the stock decided it in one epoch.
 *
 * @param adopted with the slots that the stock allocated to them in {@code epoch}, each of a
 *     different user
 * @param rejected users for whom no slot was left
 * @param done users for whom there is nothing to write
 */
public record LateClaimSettlement(
    Partition partition,
    Epoch epoch,
    CouponId couponId,
    List<AcceptedClaim> adopted,
    List<UserId> rejected,
    List<UserId> done,
    Instant at) {

  public LateClaimSettlement {
    adopted = List.copyOf(adopted);
    rejected = List.copyOf(rejected);
    done = List.copyOf(done);
    var owners = new HashSet<UserId>();
    for (var claim : adopted) {
      if (!claim.partition().equals(partition)
          || !claim.epoch().equals(epoch)
          || !claim.couponId().equals(couponId)) {
        throw new IllegalArgumentException(
            "adopted claims must be of %s in partition %s and epoch %s"
                .formatted(couponId, partition, epoch));
      }
      if (!owners.add(claim.userId())) {
        throw new IllegalArgumentException("adopted claims must be of different users");
      }
    }
  }

  /** The users of all three lists. */
  public Set<UserId> users() {
    var users = new TreeSet<>(rejected);
    users.addAll(done);
    adopted.forEach(claim -> users.add(claim.userId()));
    return users;
  }
}
