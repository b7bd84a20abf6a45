package io.firstcome.application.usercoupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.ClocksForTests;
import io.firstcome.application.Interposed;
import io.firstcome.application.LimitsForTests;
import io.firstcome.application.SettableClock;
import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.application.coupon.InMemoryMaps;
import io.firstcome.contracts.database.InMemoryDatabase;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redeemer;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Expired;
import io.firstcome.domain.usercoupon.UserCoupon.Used;
import io.firstcome.domain.usercoupon.UserCouponState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Currency;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Recording the expiry of user coupons that are valid for 30 days. */
class ExpireUserCouponsTest {

  private static final Duration VALIDITY = Duration.ofDays(30);
  private static final Currency EUR = Currency.getInstance("EUR");

  private final SettableClock clock = new SettableClock();
  private final InMemoryDatabase database = new InMemoryDatabase(clock);
  private final Coupon coupon = database.ports().define(aCoupon().build(), 1);
  private final ExpireUserCoupons expireUserCoupons = expire(database.userCoupons());
  private final CouponCatalog catalog = InMemoryMaps.catalog(database.coupons(), clock);
  private final TakeUserCoupon takeUserCoupon =
      new TakeUserCoupon(catalog, database.userCoupons(), true, clock);

  private ExpireUserCoupons expire(UserCouponRepository userCoupons) {
    return new ExpireUserCoupons(
        userCoupons, ClocksForTests.same(clock), LimitsForTests.small().userCoupons());
  }

  private void issue(String user, int slot) {
    database.userCoupons().record(List.of(acceptedClaim(coupon, user, slot, 1)));
  }

  private UserCoupon stored(String user) {
    return database.userCoupons().find(coupon.id(), new UserId(user)).orElseThrow();
  }

  private void hold(String user, Duration time) {
    take(user, time);
    assertThat(stored(user).state()).isEqualTo(UserCouponState.HELD);
  }

  private void take(String user, Duration hold) {
    var order =
        new TakeUserCoupon.Order(
            new OrderId("order-1"), new Money(2_000, EUR), hold.isZero() ? null : hold);
    takeUserCoupon.take(stored(user).id(), order, new Redeemer.Owner(new UserId(user)));
  }

  private List<AuditEntry> auditOf(String user) {
    return database.audit().ofUserCoupon(stored(user).id(), null, 10).stream()
        .map(AuditEntry.Kept::entry)
        .toList();
  }

  @Test
  void expiry_is_recorded_once_after_the_end_of_the_validity() {
    issue("alice", 1);
    clock.advance(VALIDITY.minusMillis(1));
    assertThat(expireUserCoupons.expireOverdue()).isZero();

    clock.advance(Duration.ofMillis(1));
    var issued = stored("alice");
    assertThat(expireUserCoupons.expireOverdue()).isEqualTo(1);

    assertThat(stored("alice")).isEqualTo(new Expired(issued.ownership(), 2));
    assertThat(auditOf("alice"))
        .containsExactly(
            new AuditEntry(
                ACCEPTED_AT.plus(VALIDITY),
                Actor.TIME,
                Action.EXPIRE,
                coupon.id(),
                issued.id(),
                null));
    assertThat(expireUserCoupons.expireOverdue()).isZero();
  }

  @Test
  void no_expiry_is_recorded_while_the_clocks_of_database_and_instance_differ() {
    issue("alice", 1);
    clock.advance(VALIDITY.minusMinutes(1));
    for (var wrongBy : List.of(Duration.ofDays(8), Duration.ofDays(-8), Duration.ofSeconds(6))) {
      var ahead = new InMemoryDatabase(InstantSource.offset(clock, wrongBy));
      var expire =
          new ExpireUserCoupons(
              ahead.userCoupons(),
              ClocksForTests.of(InstantSource.offset(clock, wrongBy), clock),
              LimitsForTests.small().userCoupons());
      var itsCoupon = ahead.ports().define(aCoupon().build(), 1);
      var claim = acceptedClaim(itsCoupon, "alice", 1, 1);
      ahead.userCoupons().record(List.of(claim));

      assertThat(expire.expireOverdue()).isZero();
      assertThat(ahead.userCoupons().find(itsCoupon.id(), claim.userId()).orElseThrow().state())
          .isEqualTo(UserCouponState.ISSUED);
    }
  }

  @Test
  void a_user_coupon_held_in_time_expires_only_after_the_hold_ends() {
    issue("alice", 1);
    clock.advance(VALIDITY.minusMillis(1));
    hold("alice", Duration.ofMinutes(10));
    clock.advance(Duration.ofMinutes(10).minusMillis(1));
    assertThat(expireUserCoupons.expireOverdue()).isZero();

    clock.advance(Duration.ofMillis(1));
    assertThat(expireUserCoupons.expireOverdue()).isEqualTo(1);

    assertThat(stored("alice")).isInstanceOf(Expired.class);
    assertThat(auditOf("alice"))
        .extracting(AuditEntry::action)
        .containsExactly(Action.EXPIRE, Action.HOLD);
    assertThat(
            database
                .userCoupons()
                .findRedemption(new RedemptionId(stored("alice").id(), new OrderId("order-1"))))
        .isPresent();
  }

  @Test
  void a_used_user_coupon_does_not_expire() {
    issue("alice", 1);
    take("alice", Duration.ZERO);
    clock.advance(VALIDITY);

    assertThat(expireUserCoupons.expireOverdue()).isZero();
    assertThat(stored("alice")).isInstanceOf(Used.class);
  }

  @Test
  void overdue_user_coupons_are_expired_in_batches() {
    for (int slot = 1; slot <= 12; slot++) {
      issue("user" + slot, slot);
    }
    clock.advance(VALIDITY);

    assertThat(expireUserCoupons.expireOverdue()).isEqualTo(5);
    assertThat(expireUserCoupons.expireOverdue()).isEqualTo(5);
    assertThat(expireUserCoupons.expireOverdue()).isEqualTo(2);
    assertThat(expireUserCoupons.expireOverdue()).isZero();
  }

  /** An instance whose clock is behind accepts a use at the last moment. */
  @Test
  void a_user_coupon_that_is_changed_concurrently_is_not_expired() {
    issue("alice", 1);
    issue("bob", 2);
    clock.advance(VALIDITY);
    var ports =
        Interposed.before(
            UserCouponRepository.class,
            "change",
            () -> {
              clock.advance(VALIDITY.negated());
              take("alice", Duration.ZERO);
              clock.advance(VALIDITY);
            });

    var recorded =
        expire(ports.port(UserCouponRepository.class, database.userCoupons())).expireOverdue();

    assertThat(recorded).isEqualTo(1);
    assertThat(stored("alice")).isInstanceOf(Used.class);
    assertThat(stored("bob")).isInstanceOf(Expired.class);
    assertThat(auditOf("alice")).extracting(AuditEntry::action).containsExactly(Action.USE);
  }
}
