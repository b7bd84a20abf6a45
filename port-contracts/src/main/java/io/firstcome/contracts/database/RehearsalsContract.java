package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.curve.AnswerCounts;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.Rehearsals.Removal;
import io.firstcome.domain.rehearsal.ArrivalCurve;
import io.firstcome.domain.rehearsal.ArrivalCurve.Shape;
import io.firstcome.domain.rehearsal.CrowdPhase;
import io.firstcome.domain.rehearsal.CrowdResult;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.Rehearsal.State;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What every database does with rehearsals. */
public abstract class RehearsalsContract extends DatabaseContract {

  private static final CouponId PLANNED = new CouponId("SUMMER");
  private static final CouponId CLONE = new CouponId("REHEARSAL-0123");
  private static final RehearsalPlan PLAN =
      new RehearsalPlan(
          PLANNED, 10_000, 100, new ArrivalCurve(Shape.BURSTS, Duration.ofSeconds(5), 10));
  private static final Instant AT = Instant.parse("2026-11-01T10:00:00Z");

  private Rehearsals rehearsals() {
    return database().rehearsals();
  }

  private Rehearsal started(CouponId cloneId) {
    return rehearsals().start(PLAN, cloneId, "host:8080", OPERATOR, AT).orElseThrow();
  }

  private static RehearsalResult result() {
    var phase =
        new CrowdPhase(
            100,
            Duration.ofMillis(20),
            Duration.ofMillis(30),
            Duration.ofMillis(5),
            Duration.ofMillis(2));
    var crowd =
        new CrowdResult(
            100,
            9_899,
            0,
            1,
            Duration.ofNanos(1_000),
            Duration.ofMillis(2),
            Duration.ofMillis(3),
            Duration.ofSeconds(1),
            Duration.ofMillis(20),
            Duration.ofSeconds(6),
            4_000,
            2,
            phase,
            CrowdPhase.NONE);
    return new RehearsalResult(crowd, Duration.ofMillis(700), List.of("It's \"one\""), 12_345L);
  }

  @Test
  void a_rehearsal_is_started_and_audited_as_one_of_its_coupon() {
    var started = started(CLONE);

    assertThat(started)
        .isEqualTo(
            new Rehearsal(
                started.id(), PLAN, CLONE, OPERATOR, "host:8080", AT, State.RUNNING, 0, null));
    assertThat(rehearsals().find(started.id())).contains(started);
    assertThat(database().audit().ofCoupon(PLANNED, null, 10))
        .singleElement()
        .satisfies(kept -> {
          assertThat(kept.entry().action()).isEqualTo(AuditEntry.Action.REHEARSE);
          assertThat(kept.entry().detail()).isEqualTo("REHEARSAL-0123, 10000 users, 100 slots");
        });
  }

  @Test
  void one_is_in_progress_at_a_time_until_all_is_removed() {
    var first = started(CLONE);
    var second = new CouponId("REHEARSAL-4567");

    assertThat(rehearsals().start(PLAN, second, "b", OPERATOR, AT)).isEmpty();
    rehearsals().stop(first.id(), OPERATOR, AT);
    assertThat(rehearsals().start(PLAN, second, "b", OPERATOR, AT)).isEmpty();
    // Its instance may be about to define the clone.
    assertThat(rehearsals().removeRows(first.id(), 10, true)).isEqualTo(Removal.WAIT);
    archive(defined(aCoupon().withId(CLONE.value())));
    assertThat(rehearsals().removeRows(first.id(), 10, true)).isEqualTo(Removal.DONE);

    assertThat(started(second).id().value()).isGreaterThan(first.id().value());
    assertThat(rehearsals().latest(10))
        .extracting(Rehearsal::cloneId)
        .containsExactly(second, CLONE);
    assertThat(rehearsals().latest(1)).hasSize(1);
  }

  @Test
  void a_result_is_read_as_it_was_stored() {
    var id = started(CLONE).id();
    assertThat(rehearsals().goesOn(id, 7)).isTrue();
    assertThat(rehearsals().find(id).orElseThrow().answered()).isEqualTo(7);
    assertThat(rehearsals().latestResult(PLANNED)).isEmpty();

    rehearsals().end(id, result());

    var ended = rehearsals().find(id).orElseThrow();
    assertThat(ended.result()).isEqualTo(result());
    assertThat(ended.state()).isEqualTo(State.REMOVING);
    assertThat(ended.answered()).isEqualTo(9_999);
    assertThat(rehearsals().latestResult(PLANNED)).contains(ended);
    assertThat(rehearsals().latestResult(CLONE)).isEmpty();
  }

  @Test
  void one_that_has_ended_does_not_go_on_and_keeps_its_result() {
    var id = started(CLONE).id();
    rehearsals().stop(id, OPERATOR, AT);

    assertThat(rehearsals().goesOn(id, 8)).isFalse();
    rehearsals().end(id, result());

    var ended = rehearsals().find(id).orElseThrow();
    assertThat(ended.endedEarly()).isTrue();
    assertThat(ended.answered()).isZero();
    assertThat(database().audit().ofCoupon(PLANNED, null, 10))
        .extracting(kept -> kept.entry().action())
        .containsExactly(AuditEntry.Action.STOP_REHEARSAL, AuditEntry.Action.REHEARSE);
    rehearsals().stop(id, OPERATOR, AT);
    assertThat(database().audit().ofCoupon(PLANNED, null, 10)).hasSize(2);
  }

  @Test
  void one_whose_instance_is_silent_is_stopped() throws InterruptedException {
    var id = started(CLONE).id();
    Thread.sleep(20);
    rehearsals().stopSilent(Duration.ofMinutes(1));
    assertThat(rehearsals().find(id).orElseThrow().state()).isEqualTo(State.RUNNING);

    rehearsals().goesOn(id, 1);
    Thread.sleep(20);
    rehearsals().stopSilent(Duration.ofMillis(10));

    assertThat(rehearsals().find(id).orElseThrow().state()).isEqualTo(State.REMOVING);
  }

  /** The coupon is active, and three users have its slots. */
  private Coupon issued() {
    var clone = defined(aCoupon().withId(CLONE.value()).withTotal(10));
    record(claim(clone, "u1", 1), claim(clone, "u2", 2), claim(clone, "u3", 3));
    return clone;
  }

  private void archive(Coupon coupon) {
    var current = coupon;
    for (var change : List.of(current.close(), closed(current).archive())) {
      var changed = (CouponChange.Changed) change;
      assertThat(database().coupons().change(changed, OPERATOR, ACCEPTED_AT)).isTrue();
      current = changed.coupon();
    }
    database().coupons().noteApplied(CLONE, current.revision());
  }

  private static Coupon closed(Coupon coupon) {
    return ((CouponChange.Changed) coupon.close()).coupon();
  }

  @Test
  void rows_are_removed_in_steps_when_the_stock_is_gone_and_all_events_are_published() {
    var clone = issued();
    var id = started(CLONE).id();
    assertThat(rehearsals().removeRows(id, 2, true)).isEqualTo(Removal.WAIT);
    rehearsals().end(id, result());
    assertThat(rehearsals().removeRows(id, 2, true)).isEqualTo(Removal.WAIT);
    archive(clone);
    assertThat(rehearsals().removeRows(id, 2, true)).isEqualTo(Removal.WAIT);
    database().events().publishNext(100, events -> {});

    assertThat(rehearsals().removeRows(id, 2, true)).isEqualTo(Removal.MORE);
    assertThat(rehearsals().removeRows(id, 2, true)).isEqualTo(Removal.DONE);
    assertThat(rehearsals().removeRows(id, 2, true)).isEqualTo(Removal.WAIT);

    assertThat(database().holders(CLONE)).isEmpty();
    var from = Instant.parse("2026-06-01T00:00:00Z");
    database()
        .curves()
        .add(
            List.of(
                new ClaimTally(
                    CLONE,
                    from,
                    ClaimTally.Length.SECOND,
                    AnswerCounts.of(kind -> 1L),
                    LatencyHistogram.NONE)));
    assertThat(database().curves().answers(CLONE, from, from.plusSeconds(1), Duration.ofSeconds(1)))
        .isEmpty();
    var stored = database().coupons().findStored(CLONE).orElseThrow();
    var removal = Objects.requireNonNull(stored.removal());
    assertThat(removal.userCoupons()).isEqualTo(3);
    assertThat(removal.endedAt()).isNotNull();
    assertThat(rehearsals().find(id).orElseThrow().state()).isEqualTo(State.REMOVED);
    assertThat(rehearsals().find(id).orElseThrow().result()).isEqualTo(result());
    assertThat(database().audit().ofCoupon(CLONE, null, 10).getFirst().entry().action())
        .isEqualTo(AuditEntry.Action.REMOVE_USER_COUPONS);
    assertThat(record(claim(clone, "u1", 1)))
        .singleElement()
        .isInstanceOf(RecordOutcome.UnknownCoupon.class);
  }

  @Test
  void events_that_are_not_published_are_removed_too() {
    var clone = issued();
    var id = started(CLONE).id();
    rehearsals().end(id, result());
    archive(clone);

    assertThat(rehearsals().removeRows(id, 100, false)).isEqualTo(Removal.DONE);

    assertThat(database().holders(CLONE)).isEmpty();
    assertThat(database().events().publishNext(100, events -> {})).isZero();
  }

  @Test
  void user_coupons_that_were_used_or_returned_are_removed_too() {
    var clone = defined(aCoupon().withId(CLONE.value()).withTotal(10).returningToStock());
    record(claim(clone, "u1", 1), claim(clone, "u2", 2), claim(clone, "u3", 3));
    var issued = (UserCoupon.Issued) database().userCoupons().find(CLONE, user("u1")).orElseThrow();
    var eur = Currency.getInstance("EUR");
    var order = new Redemption(new OrderId("order-1"), new Money(2_000, eur), new Money(500, eur));
    takeStep(issued, issued.hold(order, ACCEPTED_AT.plusSeconds(60)));
    giveBack(clone, "u2");
    var id = started(CLONE).id();
    rehearsals().end(id, result());
    archive(clone);
    // One event of each user coupon at a time.
    for (int i = 0; i < 2; i++) {
      database().events().publishNext(100, events -> {});
    }

    for (var expected : List.of(Removal.MORE, Removal.MORE, Removal.MORE, Removal.DONE)) {
      assertThat(rehearsals().removeRows(id, 1, true)).isEqualTo(expected);
    }

    assertThat(database().userCoupons().find(CLONE, user("u1"))).isEmpty();
    assertThat(database().userCoupons().find(CLONE, user("u2"))).isEmpty();
    assertThat(database().userCoupons().find(CLONE, user("u3"))).isEmpty();
  }
}
