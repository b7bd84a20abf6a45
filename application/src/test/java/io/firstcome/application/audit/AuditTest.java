package io.firstcome.application.audit;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.SettableClock;
import io.firstcome.application.recovery.RecoverEveryPartition;
import io.firstcome.application.recovery.RecoverEveryPartition.Outcome;
import io.firstcome.application.recovery.Recovery.Open;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The audit of changes and recoveries by operators. */
class AuditTest {

  private static final Actor OTHER = new Actor(Actor.Kind.OPERATOR, "otto");

  private static final Duration QUARTER = Duration.ofMinutes(15);

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
    service.changeCoupon.change(coupon.id(), Coupon::resume, OTHER);
    service.changeCoupon.change(coupon.id(), Coupon::close, OTHER);

    assertThat(entries())
        .extracting(AuditEntry::action)
        .containsExactly(Action.CLOSE, Action.RESUME, Action.RAISE, Action.PAUSE, Action.DEFINE);
    assertThat(entries())
        .extracting(AuditEntry::actor)
        .containsExactly(OTHER, OTHER, OPERATOR, OTHER, OPERATOR);
    assertThat(entries().get(2).detail()).isEqualTo("100 -> 200");
  }

  @Test
  void a_request_that_changes_nothing_has_no_audit_entry() {
    service.defineCoupon.define(coupon.definition(), null, OTHER);
    service.changeCoupon.change(coupon.id(), Coupon::resume, OTHER);
    service.changeCoupon.change(coupon.id(), c -> c.raiseTo(100), OTHER);
    service.changeCoupon.change(coupon.id(), c -> c.raiseTo(99), OTHER);

    assertThat(entries()).extracting(AuditEntry::action).containsExactly(Action.DEFINE);
  }

  @Test
  void a_committed_change_that_the_stock_missed_has_an_audit_entry() {
    service.stock.restart();

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> service.changeCoupon.change(coupon.id(), Coupon::pause, OTHER));

    assertThat(entries())
        .extracting(AuditEntry::action)
        .containsExactly(Action.PAUSE, Action.DEFINE);
  }

  @Test
  void a_recovery_is_audited_before_it_begins() throws Exception {
    var epoch = service.epoch();
    var seen = new ArrayList<Epoch>();
    var audit = Interposed.before(AuditTrail.class, "add", () -> seen.add(service.epoch()));

    assertThat(recover(audit)).isEqualTo(recovered(epoch.next()));

    assertThat(seen).containsExactly(epoch);
  }

  private static Outcome recovered(Epoch epoch) {
    return new Outcome.Recovered(Map.of(InMemoryService.PARTITION, new Open(epoch)));
  }

  @Test
  void two_operators_must_state_that_the_database_was_set_back() throws Exception {
    var recovery = new RecoverEveryPartition(service.keeper, service.database.audit(), clock);
    var epoch = service.epoch();

    var until = clock.instant().plus(QUARTER);
    var waits = new Outcome.NeedsSecondOperator(until);
    assertThat(recovery.recoverFromOlderDatabase(OTHER)).isEqualTo(waits);
    assertThat(recovery.recoverFromOlderDatabase(OTHER)).isEqualTo(waits);
    assertThat(service.epoch()).isEqualTo(epoch);

    assertThat(recovery.recoverFromOlderDatabase(OPERATOR)).isEqualTo(recovered(epoch.next()));
    assertThat(recovery.recoverFromOlderDatabase(OTHER))
        .as("both statements are used")
        .isEqualTo(waits);
  }

  @Test
  void the_statement_of_another_operator_holds_for_a_quarter_of_an_hour() throws Exception {
    var recovery = new RecoverEveryPartition(service.keeper, service.database.audit(), clock);
    recovery.recoverFromOlderDatabase(OTHER);
    clock.advance(QUARTER);

    assertThat(recovery.recoverFromOlderDatabase(OPERATOR))
        .isInstanceOf(Outcome.NeedsSecondOperator.class);

    clock.advance(QUARTER.minusMillis(1));
    assertThat(recovery.recoverFromOlderDatabase(OTHER)).isInstanceOf(Outcome.Recovered.class);
  }

  @Test
  void a_recovery_in_between_uses_up_a_statement() throws Exception {
    var recovery = new RecoverEveryPartition(service.keeper, service.database.audit(), clock);
    recovery.recoverFromOlderDatabase(OTHER);
    recovery.recover(OPERATOR);

    assertThat(recovery.recoverFromOlderDatabase(OPERATOR))
        .isInstanceOf(Outcome.NeedsSecondOperator.class);
  }

  @Test
  void a_recovery_that_cannot_be_audited_does_not_begin() {
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
  void a_recovery_failure_after_its_audit_entry_has_an_unknown_effect() {
    var unreachableAfterwards =
        new Interposed((_, _, call) -> {
          var noted = call.call();
          service.database.disconnect();
          return noted;
        });

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> recover(unreachableAfterwards))
        .matches(e -> e.effect() == Effect.UNKNOWN);
  }

  private Outcome recover(Interposed audit) throws InterruptedException {
    return new RecoverEveryPartition(
            service.keeper, audit.port(AuditTrail.class, service.database.audit()), clock)
        .recover(OTHER);
  }

  @Test
  void an_unknown_coupon_is_distinguished_from_one_without_audit_entries() {
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
