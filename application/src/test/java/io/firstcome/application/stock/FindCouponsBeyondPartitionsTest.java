package io.firstcome.application.stock;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.stock.FindCouponsBeyondPartitions.Beyond;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A deployment with fewer partitions than it had before. */
class FindCouponsBeyondPartitionsTest {

  private final InMemoryDatabase database = new InMemoryDatabase();

  private Optional<Beyond> found(int partitions) {
    return new FindCouponsBeyondPartitions(database.coupons(), database.lateClaims(), partitions)
        .find();
  }

  private Coupon added(CouponFixtures.CouponBuilder builder) {
    var coupon = builder.build();
    database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);
    return coupon;
  }

  @Test
  void coupons_in_existing_partitions_are_not_reported() {
    added(aCoupon().inPartition(3));

    assertThat(found(4)).isEmpty();
    assertThat(found(Partition.MAX_PARTITIONS)).isEmpty();
  }

  @Test
  void coupons_beyond_the_partitions_are_reported_with_the_number_of_partitions_needed() {
    added(aCoupon().withId("BELOW").inPartition(1));
    var two = added(aCoupon().withId("TWO").closed().inPartition(2));
    var five = added(aCoupon().withId("FIVE").paused().inPartition(5));

    assertThat(found(2)).contains(new Beyond(6, List.of(five.id(), two.id()), false));
    assertThat(found(6)).isEmpty();
  }

  @Test
  void a_coupon_in_postgresql_needs_no_partition() {
    added(aCoupon().inPostgres().inPartition(5));

    assertThat(found(2)).isEmpty();
  }

  @Test
  void an_archived_coupon_is_reported_until_its_stock_is_removed() {
    var archived = added(aCoupon().archived().inPartition(5));
    assertThat(found(2)).contains(new Beyond(6, List.of(archived.id()), false));

    database.coupons().noteApplied(archived.id(), archived.revision());
    assertThat(found(2)).isEmpty();
  }

  @Test
  void late_claims_of_an_archived_coupon_are_reported() {
    var archived = added(aCoupon().archived().inPartition(5));
    database.coupons().noteApplied(archived.id(), archived.revision());
    database
        .lateClaims()
        .add(
            List.of(
                new LateClaim(
                    archived.id(),
                    new UserId("ann"),
                    new Slot(1),
                    archived.partition(),
                    ACCEPTED_AT)));

    assertThat(found(2)).contains(new Beyond(6, List.of(), false));
  }
}
