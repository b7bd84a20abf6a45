package io.firstcome.application.archive;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ArchiveEndedCouponsTest {

  private static final Duration DAY = Duration.ofDays(1);

  private final Coupon coupon = ending("ENDING");
  private final InMemoryService service = InMemoryService.with(coupon);

  /** Its window ends in a day, its last validity in two, and it is archived after three. */
  private static Coupon ending(String id) {
    var now = Instant.now();
    return aCoupon()
        .withId(id)
        .opening(now.minusSeconds(60), now.plus(DAY))
        .withValidity(new Validity.Days(1))
        .archivedAfter(DAY)
        .build();
  }

  private CouponStatus status(Coupon of) {
    return service.database.coupons().find(of.id()).orElseThrow().status();
  }

  @Test
  void a_coupon_is_closed_and_archived_when_its_time_has_come() {
    service.claim(coupon, "ann");
    service.relayAndRecord();
    service.timePasses(DAY.multipliedBy(3).minusMinutes(1));
    service.archiveEndedCoupons.archiveDue();
    assertThat(status(coupon)).isEqualTo(CouponStatus.ACTIVE);

    service.timePasses(Duration.ofMinutes(2));
    service.archiveEndedCoupons.archiveDue();

    assertThat(status(coupon)).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(service.database.audit().ofCoupon(coupon.id(), null, 2))
        .extracting(kept -> kept.entry())
        .allSatisfy(entry -> assertThat(entry.actor()).isEqualTo(Actor.TIME))
        .extracting(AuditEntry::action)
        .containsExactly(AuditEntry.Action.ARCHIVE, AuditEntry.Action.CLOSE);
  }

  @Test
  void a_coupon_that_is_not_settled_is_archived_later_and_does_not_delay_others() {
    var other = ending("OTHER");
    service.defineCoupon.define(other.definition(), null, OPERATOR);
    service.claim(coupon, "ann");
    service.timePasses(DAY.multipliedBy(4));

    service.archiveEndedCoupons.archiveDue();
    assertThat(status(coupon)).isEqualTo(CouponStatus.CLOSED);
    assertThat(status(other)).isEqualTo(CouponStatus.ARCHIVED);

    service.relayAndRecord();
    service.archiveEndedCoupons.archiveDue();
    assertThat(status(coupon)).isEqualTo(CouponStatus.ARCHIVED);
  }

  /** Between the look for coupons that are due and the change, an operator extends the coupon. */
  @Test
  void a_coupon_that_was_extended_meanwhile_stays_open() {
    service.timePasses(DAY.multipliedBy(4));
    var extended =
        aCoupon()
            .withId("ENDING")
            .opening(
                coupon.definition().window().opensAt(),
                coupon.definition().window().closesAt().plus(DAY.multipliedBy(9)))
            .withValidity(new Validity.Days(1))
            .archivedAfter(DAY)
            .build();
    var coupons =
        new Interposed((method, _, call) -> {
          var found = call.call();
          if (method.getName().equals("dueForArchive")) {
            service.editCoupon.edit(coupon.id(), 1, _ -> extended.definition(), OPERATOR);
          }
          return found;
        });

    new ArchiveEndedCoupons(
            coupons.port(CouponRepository.class, service.database.coupons()),
            service.changeCoupon,
            service.archiveElsewhere(service.database.coupons(), service.stockSync),
            service.clock,
            IssuanceObserver.silent())
        .archiveDue();

    assertThat(status(coupon)).isEqualTo(CouponStatus.ACTIVE);
  }

  @Test
  void while_the_stock_is_not_reachable_nothing_is_archived() {
    service.timePasses(DAY.multipliedBy(4));
    service.stock.restart();

    service.archiveEndedCoupons.archiveDue();
    assertThat(status(coupon)).isEqualTo(CouponStatus.CLOSED);

    service.checkTheFence();
    service.archiveEndedCoupons.archiveDue();
    assertThat(status(coupon)).isEqualTo(CouponStatus.ARCHIVED);
  }
}
