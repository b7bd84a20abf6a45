package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.client.ClaimResult;
import io.firstcome.client.Credentials;
import io.firstcome.client.Firstcome;
import io.firstcome.client.RefusedException;
import io.firstcome.client.http.ApiException;
import io.firstcome.client.model.Campaign;
import io.firstcome.client.model.CampaignOfCoupon;
import io.firstcome.client.model.Claim;
import io.firstcome.client.model.CopyRequest;
import io.firstcome.client.model.Coupon;
import io.firstcome.client.model.CouponStatus;
import io.firstcome.client.model.Definition;
import io.firstcome.client.model.Discount;
import io.firstcome.client.model.ListedCoupon;
import io.firstcome.client.model.Money;
import io.firstcome.client.model.Order;
import io.firstcome.client.model.QuantityRequest;
import io.firstcome.client.model.Reason;
import io.firstcome.client.model.RedeemRequest;
import io.firstcome.client.model.Redemption;
import io.firstcome.client.model.RevokedUserCoupon;
import io.firstcome.client.model.TakeRequest;
import io.firstcome.client.model.UserCoupon;
import io.firstcome.client.model.Validity;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.World;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of a coupon through the Java client. */
@Timeout(120)
class JavaClientIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final URI service = URI.create("http://127.0.0.1:" + World.get().servicePort());
  private final String couponId = "JAVA-" + System.nanoTime();
  private final Firstcome olga =
      Firstcome.at(
          service,
          Credentials.gateway(ServiceProcess.GATEWAY_SECRET)
              .withUser("olga")
              .withScopes("coupon:read", "coupon:define", "coupon:operate", "coupon:revoke"));
  private final Firstcome berlin =
      Firstcome.at(
          service,
          Credentials.gateway(ServiceProcess.GATEWAY_SECRET)
              .withShop("berlin")
              .withScopes("coupon:redeem"));
  private final Firstcome ann = customer("ann");
  private final Firstcome cleo = customer("cleo");

  private Firstcome customer(String name) {
    return Firstcome.at(service, Credentials.gateway(ServiceProcess.GATEWAY_SECRET).withUser(name));
  }

  private static Money eur(long minorUnits) {
    return new Money().minorUnits(minorUnits).currency("EUR");
  }

  private static String ifMatch(Coupon coupon) {
    return "\"" + coupon.getRevision() + "\"";
  }

  private Definition definition(int totalQuantity) {
    return new Definition()
        .couponId(couponId)
        .name("Summer sale")
        .totalQuantity(totalQuantity)
        .discount(new Discount().type(Discount.TypeEnum.AMOUNT).amountOff(eur(500)))
        .minimumOrder(eur(2_000))
        .opensAt(OffsetDateTime.parse("2026-01-01T00:00:00Z"))
        .closesAt(OffsetDateTime.parse("2036-01-01T00:00:00Z"))
        .validity(new Validity().days(30))
        .returnsToStock(true);
  }

  private static Claim claimed(Firstcome customer, String coupon) throws InterruptedException {
    var result = customer.claim(coupon, PATIENCE);
    assertThat(result).isInstanceOf(ClaimResult.Claimed.class);
    return ((ClaimResult.Claimed) result).claim();
  }

  private static String refused(Firstcome customer, String coupon) throws InterruptedException {
    var result = customer.claim(coupon, PATIENCE);
    assertThat(result).isInstanceOf(ClaimResult.Refused.class);
    return ((ClaimResult.Refused) result).reason();
  }

  @FunctionalInterface
  private interface Check {
    boolean holds() throws ApiException;
  }

  /** For what is answered from rows. */
  private static void eventually(String what, Check check) {
    Await.until(
        PATIENCE,
        () -> what,
        () -> {
          try {
            return check.holds();
          } catch (ApiException e) {
            throw new AssertionError(e);
          }
        });
  }

  @BeforeEach
  void define() throws Exception {
    var defined = olga.repeat(PATIENCE, () -> olga.coupons().defineCoupon(definition(2)));
    assertThat(defined.getPhase()).isEqualTo(Coupon.PhaseEnum.OPEN);
  }

  @Test
  void customers_claim_and_the_last_one_is_refused() throws Exception {
    var first = claimed(ann, couponId);
    assertThat(first.getSlot()).isOne();
    var again = claimed(ann, couponId);
    assertThat(again.getOutcome())
        .isIn(Claim.OutcomeEnum.ALREADY_ACCEPTED, Claim.OutcomeEnum.ALREADY_ISSUED);
    assertThat(again.getCode()).isEqualTo(first.getCode());
    assertThat(claimed(customer("bob"), couponId).getSlot()).isEqualTo(2);
    assertThat(refused(cleo, couponId)).isEqualTo("sold-out");

    var page = ann.claims().listCoupons(List.of(couponId, "NOWHERE"), null, null);
    assertThat(page.getItems())
        .singleElement()
        .extracting(ListedCoupon::getMine)
        .extracting(UserCoupon::getUserCouponId)
        .isEqualTo(first.getUserCouponId());
  }

  @Test
  void a_shop_takes_over_a_hold_undoes_the_use_and_uses_the_coupon_by_its_code() throws Exception {
    var claim = claimed(ann, couponId);
    var id = claim.getUserCouponId();
    eventually(
        "in the wallet",
        () ->
            ann.wallet().listUserCoupons(null, 20, null).getItems().stream()
                .anyMatch(mine -> id.equals(mine.getUserCouponId())));
    var quote = ann.wallet().quote(new Order().orderId("order-1").amount(eur(3_000)));
    assertThat(quote.getAll())
        .filteredOn(quoted -> quoted.getUserCouponId().equals(id))
        .singleElement()
        .satisfies(quoted -> assertThat(quoted.getDiscount()).isEqualTo(eur(500)));

    var held =
        ann.wallet()
            .takeUserCoupon(
                id, new TakeRequest().orderId("order-1").amount(eur(3_000)).hold("PT10M"));
    assertThat(held.getState()).isEqualTo(Redemption.StateEnum.HELD);
    var taken =
        berlin
            .shops()
            .redeem(
                new RedeemRequest()
                    .userCouponId(id)
                    .orderId("order-1")
                    .amount(eur(2_990))
                    .hold("PT10M"));
    assertThat(taken.getShop()).isEqualTo("berlin");
    var redemptionId = taken.getRedemptionId();
    assertThat(berlin.shops().confirm(redemptionId).getState())
        .isEqualTo(Redemption.StateEnum.CONFIRMED);
    berlin.shops().cancel(redemptionId, new Reason().reason("out of stock"));
    assertThat(berlin.shops().getRedemption(redemptionId).getState())
        .isEqualTo(Redemption.StateEnum.UNDONE);

    var byCode = new RedeemRequest().code(claim.getCode()).orderId("order-2").amount(eur(3_000));
    assertThat(berlin.repeat(PATIENCE, () -> berlin.shops().redeem(byCode)).getState())
        .isEqualTo(Redemption.StateEnum.CONFIRMED);
    var ofAnotherOrder =
        new RedeemRequest().code(claim.getCode()).orderId("order-3").amount(eur(3_000));
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> berlin.repeat(PATIENCE, () -> berlin.shops().redeem(ofAnotherOrder)))
        .satisfies(e -> assertThat(e.type()).isEqualTo("already-used"));
    assertThat(berlin.shops().listRedemptionsOfOrder("order-2").getItems())
        .anySatisfy(used -> assertThat(used.getUserCouponId()).isEqualTo(id));
  }

  @Test
  void a_returned_coupon_goes_to_the_next_customer_from_whom_it_is_revoked() throws Exception {
    var claim = claimed(ann, couponId);
    ann.repeat(
        PATIENCE,
        () -> {
          ann.wallet().returnUserCoupon(claim.getUserCouponId());
          return true;
        });
    assertThat(ann.claims().getClaim(couponId).getState()).isEqualTo(UserCoupon.StateEnum.RETURNED);
    assertThat(refused(ann, couponId)).isEqualTo("returned");

    var next = claimed(cleo, couponId);
    eventually(
        "a row", () -> cleo.claims().getClaim(couponId).getState() == UserCoupon.StateEnum.ISSUED);
    var revoked =
        olga.repeat(
            PATIENCE,
            () ->
                olga.operations()
                    .revokeUserCoupon(
                        next.getUserCouponId(), new Reason().reason("stolen account")));
    assertThat(revoked.getState()).isEqualTo(RevokedUserCoupon.StateEnum.REVOKED);
    assertThat(revoked.getUserId()).isEqualTo("cleo");
  }

  @Test
  void an_operator_changes_proves_audits_and_archives() throws Exception {
    claimed(ann, couponId);
    assertThat(olga.coupons().pauseCoupon(couponId).getPhase()).isEqualTo(Coupon.PhaseEnum.PAUSED);
    assertThat(refused(cleo, couponId)).isEqualTo("paused");
    var resumed = olga.coupons().resumeCoupon(couponId);
    var edited = olga.coupons().editCoupon(couponId, ifMatch(resumed), Map.of("name", "Long sale"));
    assertThat(edited.getName()).isEqualTo("Long sale");
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() ->
            olga.repeat(
                PATIENCE,
                () ->
                    olga.coupons()
                        .editCoupon(couponId, ifMatch(resumed), Map.of("name", "Too late"))))
        .satisfies(e -> {
          assertThat(e.type()).isEqualTo("overtaken");
          assertThat(e.problem().getRevision()).isEqualTo(edited.getRevision());
        });
    olga.coupons().raiseQuantity(couponId, new QuantityRequest().totalQuantity(3));
    assertThat(olga.coupons().closeCoupon(couponId).getStatus()).isEqualTo(CouponStatus.CLOSED);

    eventually(
        "exact and recorded",
        () -> {
          var proof = olga.operations().proveExactness(couponId, null);
          return Boolean.TRUE.equals(proof.getExact()) && proof.getUnrecorded() == 0;
        });
    assertThat(olga.operations().listAuditOfCoupon(couponId, 20, null).getItems())
        .anySatisfy(entry -> assertThat(entry.getActor().getName()).isEqualTo("olga"));
    var archived = olga.repeat(PATIENCE, () -> olga.coupons().archiveCoupon(couponId));
    assertThat(archived.getStatus()).isEqualTo(CouponStatus.ARCHIVED);
  }

  @Test
  void of_two_coupons_of_a_campaign_a_customer_gets_one() throws Exception {
    var ids = List.of(couponId + "-2", couponId + "-3");
    for (var id : ids) {
      olga.coupons().copyCoupon(couponId, new CopyRequest().couponId(id));
    }
    var campaign =
        new Campaign().campaignId(couponId + "-C").limitPerUser(1).couponIds(Set.copyOf(ids));
    assertThat(olga.coupons().defineCampaign(campaign).getLimitPerUser()).isOne();
    for (var id : ids) {
      var published = olga.repeat(PATIENCE, () -> olga.coupons().publishCoupon(id));
      assertThat(published.getCampaign())
          .extracting(CampaignOfCoupon::getCampaignId)
          .isEqualTo(couponId + "-C");
    }

    claimed(ann, ids.getFirst());
    assertThat(refused(ann, ids.getLast())).isEqualTo("campaign-limit");
  }
}
