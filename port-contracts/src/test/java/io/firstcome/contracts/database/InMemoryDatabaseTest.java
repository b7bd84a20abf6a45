package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.DatabaseUnavailableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What only the in-memory database does. */
class InMemoryDatabaseTest {

  private final InMemoryDatabase database = new InMemoryDatabase();

  @Test
  void while_the_database_is_unreachable_every_call_fails_and_its_data_is_kept() {
    var coupon = aCoupon().build();
    database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);

    database.disconnect();
    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() -> database.coupons().find(coupon.id()));

    database.reconnect();
    assertThat(database.coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void the_recovery_lease_can_be_closed_while_the_database_is_unreachable() {
    var partition = new Partition(1);
    var lease = database.epochs().tryAcquireLease(partition).orElseThrow();

    database.disconnect();
    lease.close();
    database.reconnect();

    assertThat(database.epochs().tryAcquireLease(partition)).isPresent();
  }

  @Test
  void an_ended_publishing_transaction_deletes_nothing_and_does_not_block_another_publisher() {
    var coupon = aCoupon().build();
    database.ports().define(coupon, 1);
    database.userCoupons().record(List.of(acceptedClaim(coupon, "ann", 1, 1)));
    var byTheOther = new AtomicInteger();

    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() ->
            database
                .events()
                .publishNext(
                    1,
                    events -> {
                      database.endPublishing();
                      byTheOther.set(database.events().publishNext(1, again -> {}));
                    }));

    assertThat(byTheOther).hasValue(1);
    assertThat(database.hasEvents()).isFalse();
  }
}
