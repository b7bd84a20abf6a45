package io.firstcome.adapter.persistence.coupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.CouponEditContract;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.CouponRepository;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponRepository} against the contract of drafts and edits. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqCouponEditIT extends CouponEditContract {

  private final TestDatabase database = new TestDatabase(JooqCouponEditIT.class);

  @Override
  protected DatabasePorts emptyDatabase() {
    return database.empty();
  }

  @Test
  void a_coupon_with_an_edit_that_was_not_completed_is_found_after_the_limit() {
    var ports = database.empty();
    var coupon = ports.define(aCoupon().build(), 1);
    ports.coupons().noteApplied(coupon.id(), 1);
    ports.coupons().noteFreeze(coupon.id());
    assertThat(ports.coupons().unapplied(null, 10)).isEmpty();

    database
        .dsl()
        .execute(
            "UPDATE coupon SET stock_frozen_at = stock_frozen_at - {0} * interval '1 ms'",
            CouponRepository.FREEZE_LIMIT.toMillis() + 1);
    assertThat(ports.coupons().unapplied(null, 10)).containsExactly(coupon);

    ports.coupons().noteApplied(coupon.id(), 1);
    assertThat(ports.coupons().unapplied(null, 10)).isEmpty();
  }

  /** A claim of a stock that is the rows holds the coupon's row until its commit. */
  @Test
  void an_edit_waits_for_a_claim_that_is_being_written_and_finds_it() throws Exception {
    var ports = database.empty();
    var coupon = aCoupon().inPostgres().build();
    ports.coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT);
    var edited = aCoupon().inPostgres().withTotal(1).withRevision(2).build();
    var isLocked = new CountDownLatch(1);
    var mayCommit = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var claim =
          threads.submit(() ->
              database
                  .dsl()
                  .transaction(claiming -> {
                    claiming.dsl().execute("SELECT FROM coupon FOR NO KEY UPDATE");
                    isLocked.countDown();
                    mayCommit.await();
                    claiming
                        .dsl()
                        .execute(
                            """
                            INSERT INTO user_coupon (issued_at, expires_at, coupon_number, slot, user_id, tag, code)
                            SELECT now(), now(), coupon_number, 1, 'ann', '0123456789', '0123456789' FROM coupon
                            """);
                  }));
      isLocked.await();
      var edit =
          threads.submit(() ->
              ports
                  .coupons()
                  .editUnclaimed(
                      CouponFixtures.changed(coupon, edited), Epoch.NONE, OPERATOR, ACCEPTED_AT));
      awaitWaiting(edit);
      mayCommit.countDown();

      assertThat(edit.get()).isEqualTo(CouponRepository.EditOutcome.CLAIMED);
      claim.get();
    }
  }

  @Test
  void a_definition_that_waits_for_a_deletion_of_the_same_id_is_refused() throws Exception {
    var ports = database.empty();
    var draft = aCoupon().draft().build();
    ports.coupons().addIfAbsent(draft, OPERATOR, ACCEPTED_AT);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var defined =
          database
              .dsl()
              .transactionResult(deleting -> {
                deleting.dsl().execute("DELETE FROM coupon");
                deleting
                    .dsl()
                    .execute(
                        """
                        INSERT INTO audit_entry (at, actor_kind, actor_name, action, coupon_id)
                        VALUES (now(), 'OPERATOR', 'olga', 'DELETE', {0})
                        """,
                        draft.id().value());
                var waiting =
                    threads.submit(() ->
                        ports.coupons().addIfAbsent(aCoupon().build(), OPERATOR, ACCEPTED_AT));
                awaitWaiting(waiting);
                return waiting;
              });

      assertThat(defined.get()).isFalse();
      assertThat(ports.coupons().find(draft.id())).isEmpty();
    }
  }

  /** Returns when the call waits for a lock. A call that does not wait is done at once. */
  private void awaitWaiting(Future<?> call) throws InterruptedException {
    while (!call.isDone() && database.waitingSessions() == 0) {
      Thread.sleep(5);
    }
  }

  @AfterAll
  void close() {
    database.close();
  }
}
