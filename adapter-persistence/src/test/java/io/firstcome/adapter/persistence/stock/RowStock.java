package io.firstcome.adapter.persistence.stock;

import static io.firstcome.adapter.persistence.generated.Tables.CAMPAIGN;
import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.codeKeys;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.contracts.stock.StockUnderTest;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;

/** The stock in PostgreSQL under test: changes by other components are changes of rows. */
final class RowStock implements StockUnderTest {

  private final TestDatabase database;
  private final DatabasePorts ports;
  private final CouponStock stock;

  /** Empties all tables of the database. */
  RowStock(TestDatabase database) {
    this.database = database;
    ports = database.empty();
    stock = of(database);
  }

  /** The stock of an instance of the service. */
  static CouponStock of(TestDatabase database) {
    return new JooqCouponStock(
        PersistenceAdapterConfiguration.withoutSavepoints(database.dataSource()),
        codeKeys(),
        call -> Thread.ofVirtual().start(call));
  }

  @Override
  public CouponStock stock() {
    return stock;
  }

  DatabasePorts ports() {
    return ports;
  }

  @Override
  public StockAddress define(Coupon coupon) {
    var campaign = coupon.campaign();
    if (campaign != null) {
      add(campaign);
    }
    var here = like(coupon, coupon.revision());
    assertThat(ports.coupons().addIfAbsent(here, OPERATOR, ACCEPTED_AT)).isTrue();
    return StockAddress.inDatabase(coupon.id(), coupon.partition());
  }

  private void add(Campaign campaign) {
    database
        .dsl()
        .insertInto(CAMPAIGN)
        .set(CAMPAIGN.CAMPAIGN_ID, campaign.id().value())
        .set(CAMPAIGN.LIMIT_PER_USER, campaign.limitPerUser())
        .set(
            CAMPAIGN.COUPON_IDS,
            campaign.couponIds().stream().map(CouponId::value).toArray(String[]::new))
        .onConflictDoNothing()
        .execute();
  }

  @Override
  public void change(StockAddress address, Coupon changed) {
    var before = ports.coupons().find(address.couponId()).orElseThrow();
    var change = CouponFixtures.changed(before, like(changed, before.revision() + 1));
    assertThat(ports.coupons().change(change, OPERATOR, ACCEPTED_AT)).isTrue();
  }

  private static Coupon like(Coupon coupon, int revision) {
    return new Coupon(
        coupon.definition(),
        coupon.status(),
        revision,
        coupon.partition(),
        coupon.codeKeyVersion(),
        StockBackend.POSTGRES,
        coupon.campaign());
  }

  /** Records the step once; the release may be repeated. */
  @Override
  public ReleaseOutcome giveBack(StockAddress address, UserId user, Slot slot, int generation) {
    var row = ports.userCoupons().find(address.couponId(), user).orElseThrow();
    if (row instanceof UserCoupon.Issued issued) {
      var step =
          new UserCouponChange(
              row, issued.giveBack(ACCEPTED_AT, true), Actor.customer(user), ACCEPTED_AT);
      assertThat(ports.userCoupons().change(step)).isTrue();
    }
    return stock.release(address, user, slot, generation);
  }

  @Override
  public void erase(StockAddress address, UserId user) {
    var pseudonym = CouponFixtures.pseudonymOf(user);
    var erasure = ports.erasures().request(user, OPERATOR, ACCEPTED_AT);
    var obstacle =
        ports
            .erasures()
            .erase(
                erasure.id(),
                address.couponId(),
                pseudonym,
                false,
                () -> stock.erase(address, user, pseudonym));
    assertThat(obstacle).isEmpty();
  }

  @Override
  public ClaimOutcome won(Slot slot) {
    return new ClaimOutcome.Issued(slot);
  }
}
