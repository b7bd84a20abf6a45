package io.firstcome.adapter.persistence.usercoupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static io.firstcome.contracts.CouponFixtures.pseudonymOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.coupon.CouponChange.Changed;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.ExecuteListener;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What can happen at the same time as an erasure. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class ErasureRacesIT {

  private static final UserId ANN = new UserId("ann");
  private static final long SHORT_MILLIS = 500;

  private final TestDatabase database = new TestDatabase(ErasureRacesIT.class);

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void no_epoch_is_raised_between_the_change_of_the_stock_and_that_of_the_row() throws Exception {
    var ports = database.empty();
    var coupon = ports.define(aCoupon().build(), 1);
    ports.userCoupons().record(List.of(acceptedClaim(coupon, "ann", 1, 1)));
    var erasure = ports.erasures().request(ANN, OPERATOR, ACCEPTED_AT);
    var raised = new CompletableFuture<Void>();

    var obstacle =
        ports
            .erasures()
            .erase(
                erasure.id(),
                coupon.id(),
                pseudonymOf(ANN),
                false,
                () -> {
                  Thread.ofVirtual()
                      .start(() -> {
                        ports.epochs().raise(coupon.partition(), new Epoch(2));
                        raised.complete(null);
                      });
                  assertThat(isDone(raised)).as("raised before the row is changed").isFalse();
                });

    assertThat(obstacle).isEmpty();
    raised.get(30, TimeUnit.SECONDS);
    assertThat(ports.userCoupons().find(coupon.id(), pseudonymOf(ANN))).isPresent();
  }

  /** An earlier attempt has noted that claims of all coupons are compared with pseudonyms. */
  @Test
  void no_draft_of_the_campaign_is_published_while_the_stock_is_changed() throws Exception {
    var ports = database.empty();
    var campaign = campaign(1, "SHIRTS", "SHOES");
    var shirts = aCoupon().withId("SHIRTS").returningToStock().draft().build();
    var shoes = aCoupon().withId("SHOES").returningToStock().draft().build();
    ports.define(shirts, 1);
    ports.define(shoes, 1);
    var joins =
        List.of(
            shirts.join(campaign, shirts.partition()), shoes.join(campaign, shirts.partition()));
    ports.campaigns().define(campaign, joins, OPERATOR, ACCEPTED_AT);
    var published = (Changed) joins.getFirst().coupon().publish();
    ports.coupons().change(published, OPERATOR, ACCEPTED_AT);
    ports.userCoupons().record(List.of(acceptedClaim(published.coupon(), "ann", 1, 1)));
    var erasure = ports.erasures().request(ANN, OPERATOR, ACCEPTED_AT);
    assertThat(ports.erasures().erase(erasure.id(), shirts.id(), pseudonymOf(ANN), true, () -> {}))
        .contains(Obstacle.EVENTS);
    var publish = (Changed) joins.getLast().coupon().publish();
    var done = new CompletableFuture<Boolean>();

    var obstacle =
        ports
            .erasures()
            .erase(
                erasure.id(),
                shirts.id(),
                pseudonymOf(ANN),
                false,
                () -> {
                  Thread.ofVirtual()
                      .start(() ->
                          done.complete(ports.coupons().change(publish, OPERATOR, ACCEPTED_AT)));
                  assertThat(isDone(done)).as("published while the stock is changed").isFalse();
                });

    assertThat(obstacle).isEmpty();
    assertThat(done.get(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_request_is_stored_if_the_one_before_ends_meanwhile() {
    var ports = database.empty();
    var first = ports.erasures().request(ANN, OPERATOR, ACCEPTED_AT);
    var statements = new AtomicInteger();
    var afterTheFirstStatement =
        ExecuteListener.onExecuteEnd(context -> {
          if (statements.incrementAndGet() == 1) {
            assertThat(ports.erasures().end(first.id(), ACCEPTED_AT)).isTrue();
          }
        });
    var configuration =
        database
            .dsl()
            .configuration()
            .derive(new DefaultExecuteListenerProvider(afterTheFirstStatement));
    var erasures = database.portsOn(new Database(DSL.using(configuration))).erasures();

    var second = erasures.request(ANN, OPERATOR, ACCEPTED_AT);

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.hasEnded()).isFalse();
  }

  private static boolean isDone(CompletableFuture<?> future) {
    try {
      future.copy().orTimeout(SHORT_MILLIS, TimeUnit.MILLISECONDS).join();
      return true;
    } catch (CompletionException e) {
      return false;
    }
  }
}
