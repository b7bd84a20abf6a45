package io.firstcome.application.audit;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.SettableClock;
import io.firstcome.application.recovery.RecoverEveryPartition;
import io.firstcome.application.recovery.Recovery;
import io.firstcome.application.recovery.Recovery.Open;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The audit of changes and recoveries by operators. */
class AuditTest {

  private static final Actor OTHER = new Actor(Actor.Kind.OPERATOR, "otto");

  private final Coupon coupon = aCoupon().withTotal(100).build();
  private final InMemoryService service = InMemoryService.with(coupon);
  private final SettableClock clock = new SettableClock();
  private final ReadAudit readAudit =
      new ReadAudit(
          service.database.audit(), service.database.coupons(), service.database.userCoupons());

  private List<AuditEntry> entries() {
    return readAudit.ofCoupon(coupon.id(), null, 100).orElseThrow().stream()
        .map(AuditEntry.Kept::entry)
        .toList();
  }

  @Test
  void each_change_of_a_coupon_names_its_operator() {
    service.changeCoupon.change(coupon.id(), Coupon::pause, OTHER);
    service.changeCoupon.change(coupon.id(), c -> c.raiseTo(200), OPERATOR);
    service.changeCoupon.change(coupon.id(), Coupon::resume, Actor.UNNAMED_OPERATOR);
    service.changeCoupon.change(coupon.id(), Coupon::close, OTHER);

    assertThat(entries())
        .extracting(AuditEntry::action)
        .containsExactly(Action.CLOSE, Action.RESUME, Action.RAISE, Action.PAUSE, Action.DEFINE);
    assertThat(entries())
        .extracting(AuditEntry::actor)
        .containsExactly(OTHER, Actor.UNNAMED_OPERATOR, OPERATOR, OTHER, OPERATOR);
    assertThat(entries().get(2).detail()).isEqualTo("100 -> 200");
  }

  @Test
  void a_wish_that_changes_nothing_is_no_entry() {
    service.defineCoupon.define(coupon.definition(), null, OTHER);
    service.changeCoupon.change(coupon.id(), Coupon::resume, OTHER);
    service.changeCoupon.change(coupon.id(), c -> c.raiseTo(100), OTHER);
    service.changeCoupon.change(coupon.id(), c -> c.raiseTo(99), OTHER);

    assertThat(entries()).extracting(AuditEntry::action).containsExactly(Action.DEFINE);
  }

  @Test
  void a_change_that_the_stock_missed_is_an_entry_for_it_is_committed() {
    service.stock.restart();

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> service.changeCoupon.change(coupon.id(), Coupon::pause, OTHER));

    assertThat(entries())
        .extracting(AuditEntry::action)
        .containsExactly(Action.PAUSE, Action.DEFINE);
  }

  @Test
  void a_recovery_is_noted_before_it_begins() throws Exception {
    var epoch = service.epoch();
    var seen = new ArrayList<Epoch>();
    var audit = Interposed.before(AuditTrail.class, "add", () -> seen.add(service.epoch()));

    assertThat(recover(audit))
        .containsExactly(entry(InMemoryService.PARTITION, new Open(epoch.next())));

    assertThat(seen).containsExactly(epoch);
  }

  @Test
  void there_is_no_recovery_that_is_not_noted() {
    var epoch = service.epoch();
    var unavailable =
        new DatabaseUnavailableException(
            Effect.NONE, "not reachable", new IllegalStateException("not reachable"));

    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() ->
            recover(
                new Interposed((_, _, _) -> {
                  throw unavailable;
                })));

    assertThat(service.epoch()).isEqualTo(epoch);
  }

  @Test
  void a_recovery_that_was_noted_does_not_say_that_nothing_happened() {
    var unreachableAfterwards =
        new Interposed((_, _, call) -> {
          var noted = call.call();
          service.database.goAway();
          return noted;
        });

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> recover(unreachableAfterwards))
        .matches(e -> e.effect() == Effect.UNKNOWN);
  }

  private Map<Partition, Recovery> recover(Interposed audit) throws InterruptedException {
    return new RecoverEveryPartition(
            service.keeper, audit.port(AuditTrail.class, service.database.audit()), clock)
        .recover(true, OTHER);
  }

  @Test
  void what_is_unknown_is_told_from_what_has_no_entry() {
    var claim = acceptedClaim(coupon, "alice", 1, service.epoch().number());
    var id = claim.identity().id();
    assertThat(readAudit.ofCoupon(new CouponId("NOWHERE"), null, 10)).isEmpty();
    assertThat(readAudit.ofUserCoupon(id, null, 10)).isEmpty();

    service.database.userCoupons().record(List.of(claim));

    assertThat(readAudit.ofUserCoupon(id, null, 10)).contains(List.of());
    var first = readAudit.ofCoupon(coupon.id(), null, 10).orElseThrow().getLast();
    assertThat(readAudit.ofCoupon(coupon.id(), first.id(), 10)).contains(List.of());
  }
}
