package io.firstcome.adapter.persistence.coupon;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.CouponListsContract;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.StoredCoupon;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The lists of {@link JooqCouponRepository} against their contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqCouponListsIT extends CouponListsContract {

  private final TestDatabase database = new TestDatabase(JooqCouponListsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  /** The check constraint of the column accepts any three letters. */
  @Test
  void an_unreadable_coupon_row_does_not_hide_other_coupons() {
    var ports = database.empty();
    var broken = ports.define(aCoupon().withId("BROKEN").build(), 1);
    var sound = ports.define(aCoupon().withId("SOUND").build(), 1);
    database.dsl().execute("UPDATE coupon SET currency = 'ZZZ' WHERE coupon_id = 'BROKEN'");

    assertThat(ports.coupons().inPartition(sound.partition())).containsExactly(sound);
    assertThat(ports.coupons().page(null, null, 10))
        .extracting(StoredCoupon::coupon)
        .containsExactly(sound);
    assertThat(ports.coupons().unapplied(null, 10)).containsExactly(sound);
    assertThatThrownBy(() -> ports.coupons().find(broken.id())).hasMessageContaining("ZZZ");
  }

  @AfterAll
  void close() {
    database.close();
  }
}
