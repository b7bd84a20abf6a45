package io.firstcome.adapter.persistence.session;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pooled connection to a server that no longer accepts writes. */
class ReadOnlySessionsIT {

  private final TestDatabase database = new TestDatabase(ReadOnlySessionsIT.class);
  private final DatabasePorts ports = database.empty();
  private final Coupon coupon = aCoupon().build();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void a_connection_that_cannot_write_is_replaced_by_one_that_can() {
    // The pool has opened one connection so far, and returns the one that was used last.
    database.dsl().execute("SET default_transaction_read_only = on");

    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() -> ports.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT))
        .matches(e -> e.effect() == Effect.NONE);

    assertThat(ports.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT)).isTrue();
  }
}
