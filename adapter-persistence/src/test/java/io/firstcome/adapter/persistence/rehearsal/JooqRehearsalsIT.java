package io.firstcome.adapter.persistence.rehearsal;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.database.RehearsalsContract;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.rehearsal.ArrivalCurve;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqRehearsals} against its contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqRehearsalsIT extends RehearsalsContract {

  private final TestDatabase database = new TestDatabase(JooqRehearsalsIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @Test
  void a_clone_that_is_defined_after_the_removal_is_late_until_it_is_archived() {
    var ports = database.ports();
    var planned = new CouponId("SUMMER");
    var clone = aCoupon().withId("REHEARSAL-0123").build();
    var plan = new RehearsalPlan(planned, 10, 3, ArrivalCurve.atOnce());
    assertThat(ports.rehearsals().start(plan, clone.id(), "one", OPERATOR, ACCEPTED_AT))
        .isPresent();
    ports.define(clone, 1);
    assertThat(ports.rehearsals().lateClones()).isEmpty();

    database.dsl().execute("UPDATE rehearsal SET state = 'REMOVED'");
    assertThat(ports.rehearsals().lateClones()).containsExactly(clone.id());
    database
        .dsl()
        .execute("UPDATE coupon SET status = 'ARCHIVED' WHERE coupon_id = ?", clone.id().value());

    assertThat(ports.rehearsals().lateClones()).isEmpty();
  }

  @AfterAll
  void close() {
    database.close();
  }
}
