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
  void while_it_is_away_every_call_fails_and_what_it_holds_stays() {
    var coupon = aCoupon().build();
    database.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);

    database.goAway();
    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() -> database.coupons().find(coupon.id()));

    database.comeBack();
    assertThat(database.coupons().find(coupon.id())).contains(coupon);
  }

  @Test
  void the_right_to_recover_can_be_given_up_while_it_is_away() {
    var partition = new Partition(1);
    var right = database.epochs().tryToRecover(partition).orElseThrow();

    database.goAway();
    right.close();
    database.comeBack();

    assertThat(database.epochs().tryToRecover(partition)).isPresent();
  }

  @Test
  void a_transaction_that_publishes_and_is_ended_deletes_nothing_and_keeps_no_other_from_it() {
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
