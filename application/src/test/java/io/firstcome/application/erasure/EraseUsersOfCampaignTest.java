package io.firstcome.application.erasure;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static io.firstcome.contracts.CouponFixtures.lateClaim;
import static io.firstcome.contracts.CouponFixtures.pseudonymOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ann has one of three coupons of a campaign, of which she can have two, and is erased. */
@SuppressWarnings("NullAway.Init")
class EraseUsersOfCampaignTest {

  private static final UserId ANN = new UserId("ann");
  private static final UserId ERASED = pseudonymOf(ANN);
  private static final ClaimAnswer AT_LIMIT =
      new ClaimAnswer.Refused(new ClaimOutcome.CampaignLimit());
  private static final LedgerMark SLOT_1 = new LedgerMark.Holds(new Slot(1));
  private static final Campaign CAMPAIGN = campaign(2, "HATS", "SHIRTS", "SHOES");

  private final InMemoryService service = new InMemoryService();
  private Coupon hats;
  private Coupon shirts;

  @BeforeEach
  void publishTwoOfThree() {
    service.checkTheFence();
    CAMPAIGN
        .couponIds()
        .forEach(id ->
            service.defineCoupon.defineDraft(
                aCoupon().withId(id.value()).withTotal(1).returningToStock().build().definition(),
                StockBackend.REDIS,
                OPERATOR));
    service.defineCampaign.define(CAMPAIGN, OPERATOR);
    hats = published("HATS");
    shirts = published("SHIRTS");
  }

  private Coupon published(String couponId) {
    var id = new CouponId(couponId);
    service.changeCoupon.change(id, Coupon::publish, OPERATOR);
    return service.database.coupons().find(id).orElseThrow();
  }

  private Map<UserId, LedgerMark> ledger(Coupon coupon) {
    return service.stock.marks(InMemoryService.PARTITION, coupon.id());
  }

  @Test
  void a_late_claim_of_another_coupon_keeps_its_slot() {
    service.claim(hats, "ann");
    service.recordAll();
    service.claim(shirts, "ann");
    // As its recorder found the row of the coupon locked.
    service.database.lateClaims().add(List.of(lateClaim(shirts, "ann", 1)));
    var id = service.requestErasure(ANN);
    service.tryErasures();
    service.relayAndRecord();
    service.tryErasures();

    assertThat(service.erasure(id).waitsFor())
        .isIn(Obstacle.LATE_CLAIM, Obstacle.UNRECORDED_CLAIMS, Obstacle.EVENTS);
    assertThat(ledger(shirts)).isEqualTo(Map.of(ANN, SLOT_1));
    service.settleAll();
    service.recordAll();
    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).isTrue();
    assertThat(service.row(shirts, ERASED.value()).orElseThrow().slot()).isEqualTo(new Slot(1));
    assertThat(ledger(shirts)).isEqualTo(Map.of(ERASED, SLOT_1));
    assertThat(service.proof(shirts).discrepancies()).isEmpty();
  }

  @Test
  void a_claim_of_another_coupon_that_is_accepted_after_the_request_stays_the_users() {
    service.claim(hats, "ann");
    var id = service.requestErasure(ANN);
    service.tryErasures();
    service.recordAll();
    service.claim(shirts, "ann");

    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).isTrue();
    assertThat(ledger(hats)).isEqualTo(Map.of(ERASED, SLOT_1));
    assertThat(ledger(shirts)).isEqualTo(Map.of(ANN, SLOT_1));
    assertThat(service.claim(shirts, "ann")).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    service.recordAll();
    assertThat(service.row(shirts, "ann")).isPresent();
    assertThat(service.proof(shirts).discrepancies()).isEmpty();
  }

  @Test
  void what_an_erased_user_had_counts_for_the_limit() {
    var shoes = published("SHOES");
    eraseWithTwoCoupons();

    assertThat(service.claim(shoes, "ann")).isEqualTo(AT_LIMIT);
  }

  @Test
  void what_an_erased_user_had_counts_for_the_limit_of_a_coupon_that_is_published_later() {
    eraseWithTwoCoupons();
    var shoes = published("SHOES");

    assertThat(service.claim(shoes, "ann")).isEqualTo(AT_LIMIT);
    assertThat(service.claim(shoes, "bob")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private void eraseWithTwoCoupons() {
    service.claim(hats, "ann");
    service.claim(shirts, "ann");
    service.recordAll();
    var id = service.requestErasure(ANN);
    service.tryErasures();
    assertThat(service.erasure(id).hasEnded()).isTrue();
  }
}
