package io.firstcome.application.coupon;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.coupon.DefineCampaign.Deletion;
import io.firstcome.application.coupon.DefineCampaign.Reason;
import io.firstcome.application.coupon.DefineCampaign.Result;
import io.firstcome.contracts.CouponFixtures.CouponBuilder;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.CouponRepository;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefineCampaignTest {

  private static final Campaign CAMPAIGN = campaign(1, "SHIRTS", "SHOES");
  private static final CouponId SHIRTS = new CouponId("SHIRTS");
  private static final CouponId SHOES = new CouponId("SHOES");

  private final InMemoryService service = new InMemoryService();

  private void draft(String couponId) {
    draft(aCoupon().withId(couponId).returningToStock(), StockBackend.REDIS);
  }

  private void draft(CouponBuilder coupon, StockBackend backend) {
    var defined = service.defineCoupon.defineDraft(coupon.build().definition(), backend, OPERATOR);
    assertThat(defined).isInstanceOf(DefineCoupon.Result.Defined.class);
  }

  private Result define(Campaign campaign) {
    return service.defineCampaign.define(campaign, OPERATOR);
  }

  private Coupon stored(CouponId couponId) {
    return service.database.coupons().find(couponId).orElseThrow();
  }

  private void assertRefused(CouponId couponId, Reason reason) {
    assertThat(define(CAMPAIGN)).isEqualTo(new Result.Refused(couponId, reason));
    assertThat(service.defineCampaign.find(CAMPAIGN.id())).isEmpty();
    assertThat(service.database.coupons().findAll(CAMPAIGN.couponIds()))
        .allMatch(coupon -> coupon.revision() <= 2 && coupon.campaign() == null);
  }

  @Test
  void drafts_become_coupons_of_the_campaign_and_a_retry_changes_nothing() {
    draft("SHIRTS");
    draft("SHOES");

    assertThat(define(CAMPAIGN)).isEqualTo(new Result.Defined());
    assertThat(define(CAMPAIGN)).isEqualTo(new Result.SameAsBefore());

    assertThat(service.defineCampaign.find(CAMPAIGN.id())).contains(CAMPAIGN);
    assertThat(stored(SHOES).campaign()).isEqualTo(CAMPAIGN);
    assertThat(stored(SHOES).revision()).isEqualTo(2);
    assertThat(stored(SHOES).partition()).isEqualTo(stored(SHIRTS).partition());
  }

  @Test
  void a_campaign_cannot_be_defined_differently() {
    draft("SHIRTS");
    draft("SHOES");
    draft("HATS");
    define(CAMPAIGN);

    assertThat(define(campaign(1, "HATS", "SHOES"))).isEqualTo(new Result.AlreadyDefined());
  }

  @Test
  void a_coupon_that_does_not_exist_is_refused() {
    draft("SHIRTS");

    assertRefused(SHOES, Reason.UNKNOWN_COUPON);
  }

  @Test
  void a_published_coupon_is_refused() {
    draft("SHIRTS");
    draft("SHOES");
    service.checkTheFence();
    service.changeCoupon.change(SHOES, Coupon::publish, OPERATOR);

    assertRefused(SHOES, Reason.NOT_DRAFT);
  }

  @Test
  void a_coupon_of_another_campaign_is_refused() {
    draft("SHIRTS");
    draft("SHOES");
    draft("HATS");
    define(CAMPAIGN);
    var other = new Campaign(new CampaignId("SUMMER"), 1, campaign(1, "HATS", "SHOES").couponIds());

    assertThat(define(other)).isEqualTo(new Result.Refused(SHOES, Reason.IN_ANOTHER_CAMPAIGN));
  }

  @Test
  void a_coupon_whose_slots_do_not_go_back_is_refused() {
    draft("SHIRTS");
    draft(aCoupon().withId("SHOES"), StockBackend.REDIS);

    assertRefused(SHOES, Reason.DOES_NOT_RETURN_TO_STOCK);
  }

  @Test
  void coupons_with_stocks_in_two_backends_are_refused() {
    draft("SHIRTS");
    draft(aCoupon().withId("SHOES").returningToStock(), StockBackend.POSTGRES);

    assertRefused(SHOES, Reason.OTHER_BACKEND);
  }

  @Test
  void a_coupon_that_is_published_meanwhile_is_refused() {
    draft("SHIRTS");
    draft("SHOES");
    service.checkTheFence();
    var ports =
        Interposed.before(
            CampaignRepository.class,
            "define",
            () -> service.changeCoupon.change(SHOES, Coupon::publish, OPERATOR));
    var elsewhere =
        new DefineCampaign(
            ports.port(CampaignRepository.class, service.database.campaigns()),
            ports.port(CouponRepository.class, service.database.coupons()),
            service.clock);

    assertThat(elsewhere.define(CAMPAIGN, OPERATOR))
        .isEqualTo(new Result.Refused(SHOES, Reason.NOT_DRAFT));
    assertThat(stored(SHIRTS).campaign()).isNull();
  }

  @Test
  void a_request_that_is_sent_twice_at_the_same_time_defines_the_campaign_once() {
    draft("SHIRTS");
    draft("SHOES");
    var ports = Interposed.before(CouponRepository.class, "findAll", () -> define(CAMPAIGN));
    var elsewhere =
        new DefineCampaign(
            service.database.campaigns(),
            ports.port(CouponRepository.class, service.database.coupons()),
            service.clock);

    assertThat(elsewhere.define(CAMPAIGN, OPERATOR)).isEqualTo(new Result.SameAsBefore());
  }

  @Test
  void a_campaign_of_drafts_is_deleted_and_can_be_defined_again() {
    draft("SHIRTS");
    draft("SHOES");
    draft("HATS");
    define(campaign(1, "HATS", "SHIRTS", "SHOES"));
    service.editCoupon.delete(new CouponId("HATS"), 2, OPERATOR);

    assertThat(service.defineCampaign.delete(CAMPAIGN.id(), OPERATOR))
        .isEqualTo(new Deletion.Done());

    assertThat(stored(SHOES).campaign()).isNull();
    assertThat(service.defineCampaign.find(CAMPAIGN.id())).isEmpty();
    assertThat(service.defineCampaign.delete(CAMPAIGN.id(), OPERATOR))
        .isEqualTo(new Deletion.Unknown());
    assertThat(define(CAMPAIGN)).isEqualTo(new Result.Defined());
  }

  @Test
  void a_campaign_with_a_published_coupon_is_not_deleted() {
    draft("SHIRTS");
    draft("SHOES");
    define(CAMPAIGN);
    service.checkTheFence();
    service.changeCoupon.change(SHOES, Coupon::publish, OPERATOR);

    assertThat(service.defineCampaign.delete(CAMPAIGN.id(), OPERATOR))
        .isEqualTo(new Deletion.Published(SHOES));

    assertThat(stored(SHIRTS).campaign()).isEqualTo(CAMPAIGN);
  }

  @Test
  void campaigns_are_listed_in_pages() {
    for (var id : List.of("SHIRTS", "SHOES", "HATS", "BAGS")) {
      draft(id);
    }
    define(CAMPAIGN);
    var other = new Campaign(new CampaignId("AUTUMN"), 1, campaign(1, "HATS", "BAGS").couponIds());
    define(other);

    var first = service.defineCampaign.page(null, 1);
    assertThat(first).isEqualTo(new DefineCampaign.Page(List.of(other), other.id()));
    assertThat(service.defineCampaign.page(first.next(), 1))
        .isEqualTo(new DefineCampaign.Page(List.of(CAMPAIGN), null));
  }

  @Test
  void a_coupon_of_a_campaign_must_return_to_stock_after_an_edit_too() {
    draft("SHIRTS");
    draft("SHOES");
    define(CAMPAIGN);
    var other = aCoupon().withId("SHOES").build().definition();

    assertThat(service.editCoupon.edit(SHOES, 2, now -> other, OPERATOR))
        .isEqualTo(new EditCoupon.Result.Refused(CouponChange.Refused.Reason.MUST_RETURN_TO_STOCK));
    assertThat(stored(SHOES).revision()).isEqualTo(2);
  }
}
