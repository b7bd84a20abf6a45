package io.firstcome.application.recording;

import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.stream.IntStream;

/**
 * Records claims of a coupon that does not exist: the statements are executed, and no row is
 * written. So the code and the connections of the first real recording are already warm.
 */
public final class RehearseRecording {

  /** As many as a message of a busy coupon has. */
  private static final int CLAIMS = 200;

  private static final Partition PARTITION = new Partition(0);

  private final UserCouponRepository userCoupons;
  private final KnownEpochs epochs;
  private final CodeKeys codeKeys;
  private final InstantSource clock;

  public RehearseRecording(
      UserCouponRepository userCoupons,
      KnownEpochs epochs,
      CodeKeys codeKeys,
      InstantSource clock) {
    this.userCoupons = userCoupons;
    this.epochs = epochs;
    this.codeKeys = codeKeys;
    this.clock = clock;
  }

  /**
   * Records once.
   *
   * @param unknown the id of a coupon that does not exist
   * @throws DatabaseUnavailableException if the database is not reachable
   */
  public void record(CouponId unknown) {
    // In another epoch the statement that inserts rows would not be executed.
    var epoch = epochs.of(PARTITION);
    var now = clock.instant();
    userCoupons.record(
        IntStream.rangeClosed(1, CLAIMS)
            .mapToObj(slot -> {
              var user = new UserId("warm-up-" + slot);
              return new AcceptedClaim(
                  unknown,
                  user,
                  new Slot(slot),
                  PARTITION,
                  epoch,
                  now,
                  codeKeys.identityOf(codeKeys.activeVersion(), unknown, user));
            })
            .toList());
  }
}
