package io.firstcome.application.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.ClocksForTests;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.ExportFailedException;
import io.firstcome.domain.port.RetentionExport;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.retention.RemovalStep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RemoveUserCouponsTest {

  private static final CouponId A = new CouponId("COUPON-A");
  private static final CouponId B = new CouponId("COUPON-B");
  private static final CouponId C = new CouponId("COUPON-C");
  private static final RetentionLimits LIMITS =
      new RetentionLimits(10, Duration.ZERO, Duration.ofMinutes(1));

  private static final Instant TODAY = Instant.parse("2026-11-27T00:00:00Z");
  private static final Duration RETENTION = Duration.ofDays(30);

  private final FakeRows rows = new FakeRows();
  private final RemoveUserCoupons removeUserCoupons =
      remove(ClocksForTests.same(InstantSource.fixed(TODAY)));

  private RemoveUserCoupons remove(CompareClocks clocks) {
    return new RemoveUserCoupons(
        rows, _ -> {}, RETENTION, clocks, LIMITS, IssuanceObserver.silent());
  }

  private static RemovalStep.Removed removed(int slot) {
    return new RemovalStep.Removed(10, owner(slot));
  }

  private static SlotOwner owner(int slot) {
    return new SlotOwner(new UserId("ann"), new Slot(slot), 1, true);
  }

  private int callsOfOneRound() {
    int calls = 0;
    while (removeUserCoupons.removeNext()) {
      calls++;
    }
    return calls;
  }

  /** Coupons that are due, with the results of the next steps of each. */
  private static final class FakeRows implements UserCouponRetention {

    final Map<CouponId, Deque<RemovalStep>> steps = new TreeMap<>();
    final Set<CouponId> needed = new HashSet<>();
    final List<String> calls = new ArrayList<>();
    @Nullable CouponId failing;

    void due(CouponId couponId, RemovalStep... next) {
      steps.put(couponId, new ArrayDeque<>(List.of(next)));
    }

    /** They are all due since this instant. */
    Instant ended = Instant.EPOCH;

    @Override
    public List<CouponId> due(Instant endedBy, @Nullable CouponId after, int max) {
      return steps.keySet().stream()
          .filter(_ -> !ended.isAfter(endedBy))
          .filter(couponId -> after == null || couponId.compareTo(after) > 0)
          .limit(max)
          .toList();
    }

    @Override
    public boolean begin(CouponId couponId, Instant endedBy) {
      return !needed.contains(couponId);
    }

    @Override
    public RemovalStep removeNext(
        CouponId couponId, @Nullable SlotOwner after, int max, RetentionExport export) {
      if (couponId.equals(failing)) {
        throw new ExportFailedException("full", new IllegalStateException("full"));
      }
      calls.add(couponId + (after == null ? "" : " after " + after.slot()));
      return steps.getOrDefault(couponId, new ArrayDeque<>()).removeFirst();
    }
  }

  @Test
  void a_round_removes_the_rows_of_one_coupon_after_the_other() {
    rows.due(A, removed(10), removed(17), new RemovalStep.Ended());
    rows.due(B, new RemovalStep.Ended());

    assertThat(callsOfOneRound()).isEqualTo(4);

    assertThat(rows.calls)
        .containsExactly("COUPON-A", "COUPON-A after 10", "COUPON-A after 17", "COUPON-B");
  }

  @Test
  void a_coupon_whose_rows_are_needed_or_are_removed_elsewhere_does_not_delay_others() {
    rows.due(A);
    rows.needed.add(A);
    rows.due(B, new RemovalStep.Elsewhere());
    rows.due(C, removed(3), new RemovalStep.Ended());

    callsOfOneRound();

    assertThat(rows.calls).containsExactly("COUPON-B", "COUPON-C", "COUPON-C after 3");
  }

  @Test
  void the_next_round_looks_at_every_coupon_again() {
    rows.due(A, new RemovalStep.NotFinal(), new RemovalStep.Ended());
    callsOfOneRound();

    callsOfOneRound();

    assertThat(rows.calls).containsExactly("COUPON-A", "COUPON-A");
  }

  @Test
  void after_a_failure_the_round_continues_with_the_next_coupon() {
    rows.due(A);
    rows.failing = A;
    rows.due(B, new RemovalStep.Ended());

    assertThatExceptionOfType(ExportFailedException.class)
        .isThrownBy(removeUserCoupons::removeNext);
    callsOfOneRound();

    assertThat(rows.calls).containsExactly("COUPON-B");
  }

  @Test
  void rows_are_removed_when_the_retention_is_over() {
    rows.due(A, removed(1));
    rows.ended = TODAY.minus(RETENTION).plusMillis(1);
    assertThat(callsOfOneRound()).isZero();

    rows.ended = TODAY.minus(RETENTION);

    assertThat(removeUserCoupons.removeNext()).isTrue();
    assertThat(rows.calls).containsExactly("COUPON-A");
  }

  @Test
  void no_removal_begins_while_the_clocks_of_database_and_instance_differ() {
    rows.due(A, removed(1));
    var own = InstantSource.fixed(TODAY);
    for (var wrongBy : List.of(Duration.ofDays(400), Duration.ofDays(-1), Duration.ofSeconds(6))) {
      var database = InstantSource.offset(own, wrongBy);

      assertThat(remove(ClocksForTests.of(database, own)).removeNext()).isFalse();
    }
    assertThat(rows.calls).isEmpty();
  }
}
