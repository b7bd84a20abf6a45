package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.DatabaseUnavailableException;
import org.junit.jupiter.api.Test;

/** What only the database in memory does. */
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
}
