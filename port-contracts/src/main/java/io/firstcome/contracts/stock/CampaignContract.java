package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every stock does with claims of coupons of which each user can have only some. */
public abstract class CampaignContract<B extends StockUnderTest> extends StockContract<B> {

  /** More calls than a test makes: the log of the backend under test is not full before. */
  protected static final int CALLS = 1_000;

  private static final ClaimOutcome AT_LIMIT = new ClaimOutcome.CampaignLimit();
  private static final ClaimOutcome SOLD_OUT = new ClaimOutcome.SoldOut();

  private StockAddress define(Campaign campaign, String couponId, int total) {
    return backend.define(coupon(campaign, couponId, total));
  }

  private static Coupon coupon(Campaign campaign, String couponId, int total) {
    return aCoupon().withId(couponId).withTotal(total).inCampaign(campaign).build();
  }

  private List<ClaimOutcome> claim(StockAddress coupon, Campaign campaign, String... users) {
    return StockScenario.claim(stock, coupon, campaign, List.of(users));
  }

  @Test
  void a_user_with_as_many_coupons_as_the_limit_gets_no_other_one_and_takes_no_slot() {
    var one = campaign(1, "SHOES", "SHIRTS");
    var shoes = define(one, "SHOES", 10);
    var shirts = define(one, "SHIRTS", 10);

    assertThat(claim(shoes, one, "ann", "bob")).containsExactly(won(1), won(2));
    assertThat(claim(shirts, one, "cy", "ann", "dee", "bob"))
        .containsExactly(won(1), AT_LIMIT, won(2), AT_LIMIT);

    assertThat(stock.level(shirts)).isEqualTo(new StockLevel(10, 8, 3));
    assertThat(stock.find(shirts, user("ann"))).isEmpty();
  }

  @Test
  void a_limit_of_two_allows_two_of_three_coupons() {
    var two = campaign(2, "SHOES", "SHIRTS", "HATS");
    var shoes = define(two, "SHOES", 10);
    var shirts = define(two, "SHIRTS", 10);
    var hats = define(two, "HATS", 10);

    assertThat(claim(shoes, two, "ann")).containsExactly(won(1));
    assertThat(claim(hats, two, "ann")).containsExactly(won(1));
    assertThat(claim(shirts, two, "ann")).containsExactly(AT_LIMIT);
  }

  @Test
  void a_repeated_claim_of_a_user_at_the_limit_returns_the_slot() {
    var one = campaign(1, "SHOES", "SHIRTS");
    var shoes = define(one, "SHOES", 10);
    define(one, "SHIRTS", 10);
    claim(shoes, one, "ann");

    assertThat(claim(shoes, one, "ann", "ann")).containsExactly(alreadyIssued(1), alreadyIssued(1));
  }

  @Test
  void a_returned_coupon_allows_another_one_and_not_itself() {
    var one = campaign(1, "SHOES", "SHIRTS");
    var shoes = define(one, "SHOES", 10);
    var shirts = define(one, "SHIRTS", 10);
    claim(shoes, one, "ann");

    assertThat(giveBack(shoes, "ann", 1, 1)).isEqualTo(new ReleaseOutcome.Released());

    assertThat(claim(shirts, one, "ann")).containsExactly(won(1));
    assertThat(claim(shoes, one, "ann")).containsExactly(new ClaimOutcome.Returned());
  }

  @Test
  void a_user_at_the_limit_is_refused_as_sold_out_once_no_slot_is_left() {
    var one = campaign(1, "SHOES", "SHIRTS");
    var shoes = define(one, "SHOES", 10);
    var shirts = define(one, "SHIRTS", 1);
    claim(shoes, one, "ann");

    assertThat(claim(shirts, one, "ann", "bob", "ann", "cy"))
        .containsExactly(AT_LIMIT, won(1), SOLD_OUT, SOLD_OUT);
  }

  @Test
  void late_claims_are_adopted_regardless_of_the_limit_and_count() {
    var one = campaign(1, "SHOES", "SHIRTS", "HATS");
    var shoes = define(one, "SHOES", 10);
    var shirts = define(one, "SHIRTS", 10);
    var hats = define(one, "HATS", 10);
    claim(shoes, one, "ann");

    var outcomes =
        stock.adopt(
            shirts,
            List.of(
                late(coupon(one, "SHIRTS", 10), "ann", 4),
                late(coupon(one, "SHIRTS", 10), "bob", 5)));

    assertThat(outcomes).allMatch(AdoptOutcome.Adopted.class::isInstance);
    assertThat(claim(hats, one, "bob", "ann")).containsExactly(AT_LIMIT, AT_LIMIT);
  }

  @Test
  void a_rejected_late_claim_does_not_count() {
    var one = campaign(1, "SHOES", "SHIRTS");
    var shoes = define(one, "SHOES", 1);
    var shirts = define(one, "SHIRTS", 10);
    claim(shoes, one, "bob");

    assertThat(stock.adopt(shoes, List.of(late(coupon(one, "SHOES", 1), "ann", 1))))
        .containsExactly(new AdoptOutcome.Rejected());

    assertThat(claim(shirts, one, "ann")).containsExactly(won(1));
  }

  @Test
  void of_concurrent_claims_of_all_coupons_each_user_gets_as_many_as_the_limit() {
    var two = campaign(2, "SHOES", "SHIRTS", "HATS", "BAGS");
    var coupons = two.couponIds().stream().map(id -> define(two, id.value(), 100)).toList();
    var users = StockScenario.users(1, 20);
    var calls = new ArrayList<CompletableFuture<List<ClaimOutcome>>>();
    for (var user : users) {
      for (var coupon : coupons) {
        var claims = List.of(CouponFixtures.claimOf(user(user)));
        calls.add(stock.claim(coupon, two, claims, StockScenario.SOON).toCompletableFuture());
      }
    }
    calls.forEach(CompletableFuture::join);

    for (var user : users) {
      var has = coupons.stream().filter(coupon -> stock.find(coupon, user(user)).isPresent());
      assertThat(has).as(user).hasSize(2);
    }
    assertThat(coupons.stream().mapToInt(coupon -> 100 - stock.level(coupon).free()).sum())
        .isEqualTo(40);
  }
}
