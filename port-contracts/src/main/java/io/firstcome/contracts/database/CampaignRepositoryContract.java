package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CampaignRepository.Outcome;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What every database does with campaigns. */
public abstract class CampaignRepositoryContract extends DatabaseContract {

  private static final Campaign CAMPAIGN = campaign(1, "SHOES", "SHIRTS");
  private static final Partition COMMON = new Partition(0);

  private Coupon draft(String couponId, int partition) {
    return defined(aCoupon().withId(couponId).inPartition(partition).returningToStock().draft());
  }

  private static CouponChange.Changed join(Coupon draft, Campaign campaign) {
    return draft.join(campaign, COMMON);
  }

  private Outcome define(Campaign campaign, CouponChange.Changed... joins) {
    return database().campaigns().define(campaign, List.of(joins), OPERATOR, ACCEPTED_AT);
  }

  @Test
  void a_campaign_and_its_coupons_are_stored_together() {
    var shirts = join(draft("SHIRTS", 0), CAMPAIGN);
    var shoes = join(draft("SHOES", 1), CAMPAIGN);

    assertThat(define(CAMPAIGN, shirts, shoes)).isEqualTo(Outcome.DEFINED);

    assertThat(database().campaigns().find(CAMPAIGN.id())).contains(CAMPAIGN);
    assertThat(database().coupons().find(shoes.coupon().id())).contains(shoes.coupon());
    assertThat(database().coupons().findAll(CAMPAIGN.couponIds()))
        .containsExactlyInAnyOrder(shirts.coupon(), shoes.coupon())
        .allMatch(coupon -> coupon.partition().equals(COMMON));
    assertThat(database().coupons().page(null, null, PAGE))
        .allMatch(stored -> Objects.equals(stored.coupon().campaign(), CAMPAIGN));
    assertThat(database().audit().ofCoupon(shoes.coupon().id(), null, PAGE))
        .extracting(kept -> kept.entry().action())
        .contains(AuditEntry.Action.JOIN_CAMPAIGN);
  }

  @Test
  void a_published_coupon_keeps_its_campaign() {
    var shirts = join(draft("SHIRTS", 0), CAMPAIGN);
    define(CAMPAIGN, shirts, join(draft("SHOES", 0), CAMPAIGN));

    var published = (CouponChange.Changed) shirts.coupon().publish();
    assertThat(database().coupons().change(published, OPERATOR, ACCEPTED_AT)).isTrue();

    assertThat(database().coupons().inPartition(COMMON)).containsExactly(published.coupon());
  }

  @Test
  void an_id_is_used_once() {
    var shirts = join(draft("SHIRTS", 0), CAMPAIGN);
    define(CAMPAIGN, shirts, join(draft("SHOES", 0), CAMPAIGN));
    var other = campaign(1, "HATS", "BAGS");
    var hats = draft("HATS", 0);

    assertThat(define(other, join(draft("BAGS", 0), other), join(hats, other)))
        .isEqualTo(Outcome.ID_TAKEN);

    assertThat(database().campaigns().find(CAMPAIGN.id())).contains(CAMPAIGN);
    assertThat(database().coupons().find(hats.id())).contains(hats);
  }

  @Test
  void a_coupon_that_was_changed_meanwhile_prevents_the_campaign() {
    var shirts = draft("SHIRTS", 0);
    var shoes = draft("SHOES", 0);
    var published = (CouponChange.Changed) shoes.publish();
    database().coupons().change(published, OPERATOR, ACCEPTED_AT);

    assertThat(define(CAMPAIGN, join(shirts, CAMPAIGN), join(shoes, CAMPAIGN)))
        .isEqualTo(Outcome.OVERTAKEN);

    assertThat(database().campaigns().find(CAMPAIGN.id())).isEmpty();
    assertThat(database().coupons().find(shirts.id())).contains(shirts);
    assertThat(database().coupons().find(shoes.id())).contains(published.coupon());
  }

  @Test
  void a_deleted_campaign_has_no_coupons() {
    var shirts = join(draft("SHIRTS", 0), CAMPAIGN);
    var shoes = join(draft("SHOES", 1), CAMPAIGN);
    define(CAMPAIGN, shirts, shoes);
    var leaves = List.of(shirts.coupon().leaveCampaign(), shoes.coupon().leaveCampaign());

    assertThat(database().campaigns().delete(CAMPAIGN, leaves, OPERATOR, ACCEPTED_AT)).isTrue();

    assertThat(database().campaigns().find(CAMPAIGN.id())).isEmpty();
    assertThat(database().coupons().find(shoes.coupon().id())).contains(leaves.getLast().coupon());
    assertThat(database().campaigns().delete(CAMPAIGN, List.of(), OPERATOR, ACCEPTED_AT)).isFalse();
    assertThat(define(CAMPAIGN, join(leaves.getFirst().coupon(), CAMPAIGN)))
        .isEqualTo(Outcome.DEFINED);
  }

  @Test
  void a_coupon_that_was_published_meanwhile_keeps_the_campaign() {
    var shirts = join(draft("SHIRTS", 0), CAMPAIGN);
    var shoes = join(draft("SHOES", 0), CAMPAIGN);
    define(CAMPAIGN, shirts, shoes);
    var leaves = List.of(shirts.coupon().leaveCampaign(), shoes.coupon().leaveCampaign());
    var published = (CouponChange.Changed) shoes.coupon().publish();
    database().coupons().change(published, OPERATOR, ACCEPTED_AT);

    assertThat(database().campaigns().delete(CAMPAIGN, leaves, OPERATOR, ACCEPTED_AT)).isFalse();

    assertThat(database().campaigns().find(CAMPAIGN.id())).contains(CAMPAIGN);
    assertThat(database().coupons().find(shirts.coupon().id())).contains(shirts.coupon());
  }

  @Test
  void a_campaign_is_not_deleted_if_it_has_further_coupons() {
    var shirts = join(draft("SHIRTS", 0), CAMPAIGN);
    define(CAMPAIGN, shirts, join(draft("SHOES", 0), CAMPAIGN));
    var leaves = List.of(shirts.coupon().leaveCampaign());

    assertThat(database().campaigns().delete(CAMPAIGN, leaves, OPERATOR, ACCEPTED_AT)).isFalse();

    assertThat(database().campaigns().find(CAMPAIGN.id())).contains(CAMPAIGN);
    assertThat(database().coupons().find(shirts.coupon().id())).contains(shirts.coupon());
  }

  @Test
  void campaigns_are_listed_in_pages_by_id() {
    var autumn = new Campaign(new CampaignId("AUTUMN"), 1, campaign(1, "HATS", "BAGS").couponIds());
    define(CAMPAIGN, join(draft("SHIRTS", 0), CAMPAIGN));
    define(autumn, join(draft("HATS", 0), autumn));

    assertThat(database().campaigns().page(null, 1)).containsExactly(autumn);
    assertThat(database().campaigns().page(autumn.id(), 10)).containsExactly(CAMPAIGN);
  }

  @Test
  void an_unknown_campaign_is_not_found() {
    assertThat(database().campaigns().find(new CampaignId("UNKNOWN"))).isEmpty();
  }
}
