package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponIdentity;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How every {@link UserCouponRepository} records claims. */
public abstract class ClaimRecordingContract extends DatabaseContract {

  private static final Duration CLOCKS_MAY_DIFFER = ClockEstimate.MAX_DIFFERENCE;

  private static final RecordOutcome RECORDED = new RecordOutcome.Recorded();
  private static final RecordOutcome ALREADY = new RecordOutcome.AlreadyRecorded();
  private static final RecordOutcome TAKEN = new RecordOutcome.SlotTaken();
  private static final RecordOutcome LATE = new RecordOutcome.Late(new Epoch(EPOCH));
  private static final long SEED = 20_260_501;

  private List<RecordOutcome> record(List<AcceptedClaim> claims) {
    return database().userCoupons().record(claims);
  }

  private static AcceptedClaim with(
      AcceptedClaim claim, Partition partition, UserCouponIdentity identity) {
    return new AcceptedClaim(
        claim.couponId(),
        claim.userId(),
        claim.slot(),
        partition,
        claim.epoch(),
        claim.acceptedAt(),
        identity);
  }

  @Test
  void a_claim_becomes_a_row() {
    var coupon = defined(aCoupon());

    assertThat(record(claim(coupon, "alice", 1))).containsExactly(RECORDED);
    assertRowsOf(coupon, claim(coupon, "alice", 1));
    assertLateClaimsOf(coupon);
  }

  @Test
  void an_empty_batch_is_allowed() {
    assertThat(record(List.of())).isEmpty();
  }

  @Test
  void a_batch_may_hold_claims_of_many_coupons_and_partitions() {
    var one = defined(aCoupon().withId("ONE").inPartition(3));
    var two = defined(aCoupon().withId("TWO").inPartition(1));

    var outcomes = record(claim(one, "alice", 1), claim(two, "alice", 1), claim(one, "bob", 2));

    assertThat(outcomes).containsExactly(RECORDED, RECORDED, RECORDED);
    assertRowsOf(one, claim(one, "alice", 1), claim(one, "bob", 2));
    assertRowsOf(two, claim(two, "alice", 1));
  }

  @Test
  void the_first_and_the_last_slot_can_be_recorded_and_no_slot_above_the_quantity() {
    var coupon = defined(aCoupon().withTotal(3));

    var outcomes =
        record(claim(coupon, "carl", 4), claim(coupon, "bob", 3), claim(coupon, "alice", 1));

    assertThat(outcomes).containsExactly(new RecordOutcome.SlotOutOfRange(3), RECORDED, RECORDED);
    assertRowsOf(coupon, claim(coupon, "alice", 1), claim(coupon, "bob", 3));
    assertLateClaimsOf(coupon);
  }

  @Test
  void a_claim_of_an_unknown_coupon_is_not_written() {
    var coupon = defined(aCoupon());
    var unknown = aCoupon().withId("UNKNOWN").build();

    assertThat(record(claim(unknown, "alice", 1), claim(coupon, "bob", 1)))
        .containsExactly(new RecordOutcome.UnknownCoupon(), RECORDED);
    assertThat(record(claimOfEpoch(EPOCH - 1, unknown, "alice", 1)))
        .containsExactly(new RecordOutcome.UnknownCoupon());
    assertRowsOf(unknown);
    assertLateClaimsOf(unknown);
  }

  @Test
  void a_redelivered_batch_changes_nothing() {
    var coupon = defined(aCoupon());
    var batch = claims(coupon, 20);
    record(batch);

    assertThat(record(batch)).hasSize(20).containsOnly(ALREADY);
    assertRowsOf(coupon, batch.toArray(AcceptedClaim[]::new));
    assertLateClaimsOf(coupon);
  }

  @Test
  void batches_delivered_three_times_and_shuffled_record_each_row_once() {
    var coupon = defined(aCoupon().withTotal(300));
    var other = defined(aCoupon().withId("OTHER").withTotal(300).inPartition(2));
    var all = new ArrayList<>(claims(coupon, 300));
    all.addAll(claims(other, 300));
    var random = new Random(SEED);
    for (int time = 0; time < 3; time++) {
      Collections.shuffle(all, random);
      for (int from = 0; from < all.size(); from += 70) {
        record(all.subList(from, Math.min(from + 70, all.size())));
      }
    }

    assertRowsOf(coupon, claims(coupon, 300).toArray(AcceptedClaim[]::new));
    assertRowsOf(other, claims(other, 300).toArray(AcceptedClaim[]::new));
    assertLateClaimsOf(coupon);
    assertLateClaimsOf(other);
  }

  @Test
  void the_row_of_a_user_takes_precedence_over_a_later_slot() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));

    assertThat(record(claim(coupon, "alice", 2)))
        .containsExactly(new RecordOutcome.UserHasOtherSlot(slot(1)));
    assertRowsOf(coupon, claim(coupon, "alice", 1));
    assertLateClaimsOf(coupon);
  }

  @Test
  void a_claim_whose_slot_belongs_to_another_user_is_kept_as_a_late_claim() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));

    for (int time = 0; time < 2; time++) {
      assertThat(record(claim(coupon, "bob", 1))).containsExactly(TAKEN);
      assertRowsOf(coupon, claim(coupon, "alice", 1));
      assertLateClaimsOf(coupon, claim(coupon, "bob", 1));
    }
  }

  @Test
  void two_claims_of_one_slot_in_one_batch_become_one_row_and_one_late_claim() {
    var coupon = defined(aCoupon());

    assertThat(record(claim(coupon, "alice", 1), claim(coupon, "bob", 1)))
        .containsExactlyInAnyOrder(RECORDED, TAKEN);
    assertThat(holdersOf(coupon)).hasSize(1);
    assertThat(lateClaimsOf(coupon)).hasSize(1);
  }

  @Test
  void a_claim_of_another_epoch_is_kept_as_a_late_claim() {
    var coupon = defined(aCoupon());

    var outcomes =
        record(
            claimOfEpoch(EPOCH - 1, coupon, "alice", 1),
            claimOfEpoch(EPOCH + 1, coupon, "bob", 2),
            claim(coupon, "carl", 3));

    assertThat(outcomes).containsExactly(LATE, LATE, RECORDED);
    assertRowsOf(coupon, claim(coupon, "carl", 3));
    assertLateClaimsOf(coupon, claim(coupon, "alice", 1), claim(coupon, "bob", 2));
  }

  @Test
  void a_late_claim_that_is_delivered_again_changes_nothing() {
    var coupon = defined(aCoupon());
    for (int time = 0; time < 3; time++) {
      assertThat(record(claimOfEpoch(EPOCH - 1, coupon, "alice", 1))).containsExactly(LATE);
      assertLateClaimsOf(coupon, claim(coupon, "alice", 1));
    }
  }

  @Test
  void a_late_claim_of_a_user_who_has_a_row_adds_nothing() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));

    assertThat(record(claimOfEpoch(EPOCH - 1, coupon, "alice", 1))).containsExactly(ALREADY);
    assertThat(record(claimOfEpoch(EPOCH - 1, coupon, "alice", 5)))
        .containsExactly(new RecordOutcome.UserHasOtherSlot(slot(1)));
    assertLateClaimsOf(coupon);
  }

  @Test
  void a_late_claim_is_kept_even_if_its_slot_is_above_the_quantity() {
    var coupon = defined(aCoupon().withTotal(3));

    assertThat(record(claimOfEpoch(EPOCH - 1, coupon, "alice", 4))).containsExactly(LATE);
    assertLateClaimsOf(coupon, claim(coupon, "alice", 4));
  }

  @Test
  void a_claim_is_late_according_to_the_epoch_of_its_own_partition() {
    var raised = defined(aCoupon().withId("RAISED").inPartition(1));
    var calm = defined(aCoupon().withId("CALM").inPartition(2));
    database().epochs().raise(raised.partition(), new Epoch(EPOCH + 4));

    assertThat(record(claim(raised, "alice", 1), claim(calm, "alice", 1)))
        .containsExactly(new RecordOutcome.Late(new Epoch(EPOCH + 4)), RECORDED);
  }

  @Test
  void outcomes_are_returned_in_the_order_of_the_claims() {
    var coupon = defined(aCoupon().withTotal(50));
    record(claim(coupon, "m", 1), claim(coupon, "n", 2));

    var outcomes =
        record(
            claim(coupon, "z", 10),
            claim(coupon, "n", 3),
            claimOfEpoch(EPOCH - 1, coupon, "y", 11),
            claim(coupon, "a", 51),
            claim(coupon, "m", 1),
            claim(coupon, "B", 2),
            claim(coupon, "c", 12));

    assertThat(outcomes)
        .containsExactly(
            RECORDED,
            new RecordOutcome.UserHasOtherSlot(slot(2)),
            LATE,
            new RecordOutcome.SlotOutOfRange(50),
            ALREADY,
            TAKEN,
            RECORDED);
  }

  @Test
  void the_same_user_twice_in_a_batch_is_an_illegal_argument() {
    var coupon = defined(aCoupon());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> record(claim(coupon, "alice", 1), claim(coupon, "alice", 2)))
        .withMessageContaining("WELCOME")
        .withMessageNotContaining("alice");
  }

  @Test
  void a_claim_with_the_identity_of_another_users_row_is_refused() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "zoe", 9));
    var poison =
        with(claim(coupon, "poison", 2), coupon.partition(), claim(coupon, "zoe", 9).identity());

    assertIsolates(coupon, poison, claim(coupon, "zoe", 9));
  }

  @Test
  void a_claim_with_a_wrong_partition_is_refused() {
    var coupon = defined(aCoupon().inPartition(1));
    database().epochs().raise(new Partition(2), new Epoch(EPOCH));
    var valid = claim(coupon, "poison", 2);

    assertIsolates(coupon, with(valid, new Partition(2), valid.identity()));
  }

  /**
   * Asserts that the batch and the poison alone are rejected, and the other claims are recorded.
   */
  private void assertIsolates(Coupon coupon, AcceptedClaim poison, AcceptedClaim... before) {
    var alice = claim(coupon, "alice", 1);
    var late = claimOfEpoch(EPOCH - 1, coupon, "bob", 3);

    assertThatExceptionOfType(UnrecordableException.class)
        .isThrownBy(() -> record(alice, poison, late))
        .withMessageNotContaining(poison.userId().value())
        .withMessageNotContaining(poison.identity().code().value());
    assertRowsOf(coupon, before);
    assertLateClaimsOf(coupon);

    assertThatExceptionOfType(UnrecordableException.class).isThrownBy(() -> record(poison));
    assertThat(record(alice, late)).containsExactly(RECORDED, LATE);
    assertThat(database().userCoupons().find(coupon.id(), poison.userId())).isEmpty();
  }

  @Test
  void the_row_keeps_the_time_of_acceptance_of_its_first_delivery() {
    var coupon = defined(aCoupon());
    var first = claim(coupon, "alice", 1);
    record(first);
    record(
        new AcceptedClaim(
            first.couponId(),
            first.userId(),
            first.slot(),
            first.partition(),
            first.epoch(),
            ACCEPTED_AT.plusSeconds(5),
            first.identity()));

    assertThat(database().userCoupons().find(coupon.id(), user("alice")))
        .hasValueSatisfying(row -> assertThat(row.issuedAt()).isEqualTo(ACCEPTED_AT));
  }

  /** As when the stock's clock has jumped. */
  @Test
  void a_claim_with_a_future_time_is_issued_at_the_time_of_recording() {
    var coupon = defined(aCoupon());
    var begin = Instant.now();
    record(at(begin.plus(Duration.ofDays(30)), claim(coupon, "alice", 1)));

    var issuedAt = issuedAt(coupon, "alice");
    assertThat(issuedAt)
        .isBetween(begin.minus(CLOCKS_MAY_DIFFER), Instant.now().plus(CLOCKS_MAY_DIFFER));
    assertThat(row(coupon, "alice").ownership().expiresAt())
        .isEqualTo(issuedAt.plus(Duration.ofDays(30)));
  }

  @Test
  void a_claim_with_a_time_before_its_coupon_is_issued_at_the_definition_or_the_opening() {
    var opensLater = ACCEPTED_AT.plusSeconds(3_600);
    var open = defined(aCoupon());
    var later =
        defined(aCoupon().withId("LATER").opening(opensLater, opensLater.plusSeconds(3_600)));
    var longAgo = ACCEPTED_AT.minus(Duration.ofDays(30));
    record(at(longAgo, claim(open, "alice", 1)), at(longAgo, claim(later, "alice", 1)));

    assertThat(issuedAt(open, "alice")).isEqualTo(ACCEPTED_AT);
    assertThat(issuedAt(later, "alice")).isEqualTo(opensLater);
  }

  /** As when the database's clock was set back after the coupon had been defined. */
  @Test
  void no_claim_is_issued_before_its_coupon_was_defined() {
    var definedAt = Instant.now().plus(Duration.ofDays(7)).truncatedTo(ChronoUnit.MILLIS);
    var coupon = aCoupon().build();
    database().epochs().raise(coupon.partition(), new Epoch(EPOCH));
    database().coupons().addIfAbsent(coupon, CouponFixtures.OPERATOR, definedAt);

    record(at(definedAt.plusSeconds(60), claim(coupon, "alice", 1)));

    assertThat(issuedAt(coupon, "alice")).isEqualTo(definedAt);
  }

  @Test
  void a_time_within_the_allowed_clock_difference_is_kept() {
    var coupon = defined(aCoupon());
    var soon = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.MILLIS);
    var justBefore = ACCEPTED_AT.minus(CLOCKS_MAY_DIFFER);
    record(at(soon, claim(coupon, "alice", 1)), at(justBefore, claim(coupon, "bob", 2)));

    assertThat(issuedAt(coupon, "alice")).isEqualTo(soon);
    assertThat(issuedAt(coupon, "bob")).isEqualTo(justBefore);
  }

  /** However long the claim waited for its row. */
  @Test
  void an_old_claim_keeps_its_time() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));

    assertThat(issuedAt(coupon, "alice")).isEqualTo(ACCEPTED_AT);
  }

  private UserCoupon row(Coupon coupon, String user) {
    return database().userCoupons().find(coupon.id(), user(user)).orElseThrow();
  }

  private Instant issuedAt(Coupon coupon, String user) {
    return row(coupon, user).issuedAt();
  }

  private static AcceptedClaim at(Instant time, AcceptedClaim claim) {
    return new AcceptedClaim(
        claim.couponId(),
        claim.userId(),
        claim.slot(),
        claim.partition(),
        claim.epoch(),
        time,
        claim.identity());
  }
}
