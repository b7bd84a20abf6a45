package io.firstcome.adapter.persistence.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A user claims two coupons of a campaign at the same time, of which each user can have one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class CampaignRacesIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(30);
  private static final Campaign CAMPAIGN = campaign(1, "SHIRTS", "SHOES");

  private final TestDatabase database = new TestDatabase(CampaignRacesIT.class);
  private RowStock rows = new RowStock(database);

  @BeforeEach
  void claims_wait_before_their_commit_for_a_lock_that_the_test_holds() {
    rows = new RowStock(database);
    database
        .dsl()
        .execute(
            """
            CREATE FUNCTION wait_after_insert() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$
            """);
    database
        .dsl()
        .execute(
            "CREATE TRIGGER wait_after_insert AFTER INSERT ON user_coupon FOR EACH STATEMENT"
                + " EXECUTE FUNCTION wait_after_insert()");
  }

  @AfterEach
  void claims_do_not_wait() {
    database.dsl().execute("DROP FUNCTION wait_after_insert() CASCADE");
  }

  @AfterAll
  void close() {
    database.close();
  }

  private StockAddress define(String couponId) {
    return rows.define(aCoupon().withId(couponId).inCampaign(CAMPAIGN).build());
  }

  private CompletableFuture<List<ClaimOutcome>> claimOfAnn(StockAddress coupon) {
    return rows.stock()
        .claim(coupon, CAMPAIGN, List.of(CouponFixtures.claimOf(new UserId("ann"))), SOON)
        .toCompletableFuture();
  }

  @Test
  void the_second_claim_waits_for_the_first_and_is_refused() {
    var shirts = define("SHIRTS");
    var shoes = define("SHOES");

    var claims =
        database
            .dsl()
            .transactionResult(holding -> {
              holding.dsl().execute("SELECT pg_advisory_xact_lock(4711)");
              var first = claimOfAnn(shirts);
              awaitWaiting(1);
              var second = claimOfAnn(shoes);
              awaitWaiting(2);
              return List.of(first, second);
            });

    assertThat(claims.getFirst().join()).containsExactly(new ClaimOutcome.Issued(new Slot(1)));
    assertThat(claims.getLast().join()).containsExactly(new ClaimOutcome.CampaignLimit());
  }

  private void awaitWaiting(int sessions) {
    var end = System.nanoTime() + WAIT_LIMIT.toNanos();
    while (database.waitingSessions() != sessions) {
      assertThat(System.nanoTime()).as("%d sessions do not wait", sessions).isLessThan(end);
    }
  }
}
