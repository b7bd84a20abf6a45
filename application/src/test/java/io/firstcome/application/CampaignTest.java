package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.archive.ArchiveCoupon;
import io.firstcome.application.archive.ArchivePreconditions;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.coupon.ChangeCoupon;
import io.firstcome.application.coupon.DefineCampaign;
import io.firstcome.application.recovery.RecoverStock;
import io.firstcome.application.recovery.Recovery;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two coupons of which each user can have one; ann has the shirts. */
@Timeout(60)
class CampaignTest {

  private static final ClaimAnswer AT_LIMIT =
      new ClaimAnswer.Refused(new ClaimOutcome.CampaignLimit());
  private static final Money ORDER = new Money(10_000, Currency.getInstance("EUR"));

  private final Campaign campaign = campaign(1, "SHIRTS", "SHOES");
  private final InMemoryService service = new InMemoryService();
  private final Coupon shirts;
  private final Coupon shoes;

  CampaignTest() {
    service.checkTheFence();
    campaign.couponIds().forEach(this::draft);
    assertThat(service.defineCampaign.define(campaign, OPERATOR))
        .isEqualTo(new DefineCampaign.Result.Defined());
    shirts = published("SHIRTS");
    shoes = published("SHOES");
    assertThat(service.claim(shirts, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private void draft(CouponId couponId) {
    var draft = aCoupon().withId(couponId.value()).withTotal(10).returningToStock().build();
    service.defineCoupon.defineDraft(draft.definition(), null, OPERATOR);
  }

  private Coupon published(String couponId) {
    var change = service.changeCoupon.change(new CouponId(couponId), Coupon::publish, OPERATOR);
    return ((ChangeCoupon.Result.Done) change).coupon();
  }

  private void close(Coupon coupon) {
    assertThat(service.changeCoupon.change(coupon.id(), Coupon::close, OPERATOR))
        .isInstanceOf(ChangeCoupon.Result.Done.class);
  }

  private ArchiveCoupon.Result archive(Coupon coupon) {
    return service.archiveElsewhere().archive(coupon.id(), OPERATOR);
  }

  @Test
  void the_limit_applies_to_claims_of_another_coupon() {
    assertThat(service.claim(shoes, "ann")).isEqualTo(AT_LIMIT);
    assertThat(service.claim(shoes, "bob")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void a_returned_user_coupon_does_not_count() {
    service.relayAndRecord();
    var id = service.row(shirts, "ann").orElseThrow().id();
    service.giveBackUserCoupon.giveBack(id, Actor.customer(new UserId("ann")));
    service.releaseSlots.catchUp();

    assertThat(service.claim(shoes, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void the_user_coupon_of_an_erased_user_counts() {
    service.recordAll();
    service.requestErasure(new UserId("ann"));
    assertThat(service.eraseUsers.eraseNext()).isTrue();

    assertThat(service.row(shirts, "ann")).isEmpty();
    assertThat(service.claim(shoes, "ann")).isEqualTo(AT_LIMIT);

    service.stock.wipe();
    service.checkTheFence();
    assertThat(service.claim(shoes, "ann")).isEqualTo(AT_LIMIT);
  }

  @Test
  void coupons_with_different_code_keys_cannot_be_in_one_campaign() {
    var other = campaign("OTHER", 1, "HATS", "VESTS");
    draft(new CouponId("HATS"));
    var vests = aCoupon().withId("VESTS").returningToStock().withCodeKeyVersion(2).draft().build();
    service.database.coupons().addIfAbsent(vests, OPERATOR, CouponFixtures.ACCEPTED_AT);

    assertThat(service.defineCampaign.define(other, OPERATOR))
        .isEqualTo(
            new DefineCampaign.Result.Refused(
                new CouponId("VESTS"), DefineCampaign.Reason.OTHER_CODE_KEY));
  }

  @Test
  void the_limit_applies_after_the_stock_was_lost_and_recovered() {
    service.relayAndRecord();
    service.stock.wipe();
    service.checkTheFence();

    assertThat(service.claim(shoes, "ann")).isEqualTo(AT_LIMIT);
  }

  @Test
  void during_a_recovery_no_coupon_is_claimed_before_the_ledgers_of_all_are_rebuilt()
      throws InterruptedException {
    assertThat(service.claim(shoes, "bob")).isInstanceOf(ClaimAnswer.Accepted.class);
    service.relayAndRecord();
    service.stock.wipe();
    var outcomes = new ArrayList<ClaimOutcome>();
    var claiming =
        new Interposed((method, _, call) -> {
          var result = call.call();
          if (!method.getName().equals("noteProgress")) {
            outcomes.addAll(claimDuringRecovery(shoes, "ann"));
            outcomes.addAll(claimDuringRecovery(shirts, "bob"));
          }
          return result;
        });

    service
        .recoverStock(claiming)
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    assertThat(outcomes).isNotEmpty().containsOnly(new ClaimOutcome.CampaignLimit());
  }

  /** As an instance that has read the new epoch; empty while the coupon is not ready. */
  private List<ClaimOutcome> claimDuringRecovery(Coupon coupon, String user) {
    var partition = InMemoryService.PARTITION;
    var epoch = service.database.epochs().current(partition);
    try {
      return service
          .stock
          .stock()
          .claim(
              new StockAddress(coupon.id(), partition, epoch),
              campaign,
              List.of(CouponFixtures.claimOf(new UserId(user))),
              Duration.ofSeconds(5))
          .toCompletableFuture()
          .join();
    } catch (CompletionException e) {
      return List.of();
    }
  }

  @Test
  void a_coupon_that_cannot_be_rebuilt_keeps_the_others_of_its_campaign_closed()
      throws InterruptedException {
    service.stock.restart();

    var recovery =
        service
            .recoverStock(withoutRebuilding(shirts))
            .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    assertThat(((Recovery.Open) recovery).notRebuilt())
        .containsExactlyInAnyOrder(shirts.id(), shoes.id());
    assertThat(service.claim(shoes, "ann")).isEqualTo(new ClaimAnswer.Recovering());
  }

  private static Interposed withoutRebuilding(Coupon coupon) {
    return new Interposed((method, arguments, call) -> {
      if (method.getName().equals("clearFree")
          && arguments.getFirst() instanceof StockAddress address
          && address.couponId().equals(coupon.id())) {
        throw new StockContentException("of another type", new IllegalStateException());
      }
      return call.call();
    });
  }

  /** Lists skip a row that cannot be read. */
  @Test
  void a_coupon_whose_row_cannot_be_read_keeps_the_others_of_its_campaign_closed()
      throws InterruptedException {
    service.stock.restart();
    var unreadable =
        new Interposed((method, _, call) ->
            switch (method.getName()) {
              case "inPartition" -> List.of(shoes);
              case "find" -> throw new IllegalArgumentException("no coupon");
              default -> call.call();
            });

    service
        .recoverStock(unreadable)
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    assertThat(service.claim(shoes, "ann")).isEqualTo(new ClaimAnswer.Recovering());
  }

  /** As the recovery has opened the partition without the ledger of the other coupon. */
  @Test
  void a_coupon_that_is_published_later_waits_for_a_ledger_that_could_not_be_rebuilt()
      throws InterruptedException {
    var later = campaign("SUMMER", 1, "BAGS", "BELTS");
    later.couponIds().forEach(this::draft);
    service.defineCampaign.define(later, OPERATOR);
    var bags = published("BAGS");
    var belts = new CouponId("BELTS");
    service.claim(bags, "ann");
    service.relayAndRecord();
    service.stock.wipe();
    service
        .recoverStock(withoutRebuilding(bags))
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> service.changeCoupon.change(belts, Coupon::publish, OPERATOR));
    var stored = service.database.coupons().find(belts).orElseThrow();
    assertThat(service.claim(stored, "ann")).isEqualTo(new ClaimAnswer.Recovering());

    service.keeper.recover(InMemoryService.PARTITION, false);
    assertThat(service.claim(stored, "ann")).isEqualTo(AT_LIMIT);
    assertThat(service.claim(stored, "bob")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void a_coupon_is_archived_only_when_no_other_one_can_be_claimed() {
    service.relayAndRecord();
    close(shirts);

    assertThat(archive(shirts))
        .isEqualTo(new ArchiveCoupon.Result.NotSettled(Set.of(ArchivePreconditions.Open.CAMPAIGN)));
    assertThat(service.claim(shoes, "ann")).isEqualTo(AT_LIMIT);

    close(shoes);
    assertThat(archive(shirts)).isInstanceOf(ArchiveCoupon.Result.Archived.class);
    assertThat(archive(shoes)).isInstanceOf(ArchiveCoupon.Result.Archived.class);
  }

  @Test
  void a_user_at_the_limit_is_not_suggested_another_coupon() {
    assertThat(service.suggestCoupons.suggest(new UserId("ann"), ORDER)).isEmpty();
    assertThat(service.suggestCoupons.suggest(new UserId("bob"), ORDER)).hasSize(2);

    service.relayAndRecord();
    service.changeCoupon.change(shirts.id(), Coupon::pause, OPERATOR);
    service.timePasses(Duration.ofSeconds(10));

    assertThat(service.suggestCoupons.suggest(new UserId("ann"), ORDER)).isEmpty();
    assertThat(service.suggestCoupons.suggest(new UserId("bob"), ORDER)).hasSize(1);
  }
}
