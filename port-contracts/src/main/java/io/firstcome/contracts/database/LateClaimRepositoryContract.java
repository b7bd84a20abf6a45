package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every {@link LateClaimRepository} does. */
public abstract class LateClaimRepositoryContract extends DatabaseContract {

  private static final Instant NOW = ACCEPTED_AT.plusSeconds(60);

  private LateClaimRepository lateClaims() {
    return database().lateClaims();
  }

  private void add(AcceptedClaim... claims) {
    lateClaims().add(Stream.of(claims).map(DatabaseContract::late).toList());
  }

  private Set<UserId> settle(
      Coupon coupon, List<AcceptedClaim> adopted, List<UserId> rejected, List<UserId> done) {
    return settle(EPOCH, coupon, adopted, rejected, done);
  }

  private Set<UserId> settle(
      long epoch,
      Coupon coupon,
      List<AcceptedClaim> adopted,
      List<UserId> rejected,
      List<UserId> done) {
    return lateClaims()
        .settle(
            new LateClaimSettlement(
                coupon.partition(), new Epoch(epoch), coupon.id(), adopted, rejected, done, NOW));
  }

  @Test
  void added_claims_are_kept() {
    var coupon = defined(aCoupon().inPartition(2));

    add(claim(coupon, "alice", 4), claim(coupon, "bob", 5));

    assertLateClaimsOf(coupon, claim(coupon, "alice", 4), claim(coupon, "bob", 5));
  }

  @Test
  void adding_no_late_claims_is_allowed() {
    lateClaims().add(List.of());

    assertThat(lateClaims().next(new Partition(0), null, PAGE)).isEmpty();
  }

  @Test
  void an_existing_late_claim_is_not_changed() {
    var coupon = defined(aCoupon());
    var kept = late(claim(coupon, "alice", 4));
    lateClaims().add(List.of(kept));

    lateClaims()
        .add(
            List.of(
                new LateClaim(coupon.id(), user("alice"), slot(9), coupon.partition(), NOW),
                late(claim(coupon, "bob", 5))));

    assertLateClaimsOf(coupon, claim(coupon, "alice", 4), claim(coupon, "bob", 5));
  }

  @Test
  void a_rejected_claim_is_not_kept_again() {
    var coupon = defined(aCoupon());
    add(claim(coupon, "alice", 4));
    settle(coupon, List.of(), List.of(user("alice")), List.of());

    add(claim(coupon, "alice", 4));

    assertLateClaimsOf(coupon);
  }

  @Test
  void late_claims_of_an_unknown_coupon_are_refused_and_none_of_the_batch_is_kept() {
    var coupon = defined(aCoupon());
    var ofUnknownCoupon = new LateClaim(UNKNOWN, user("bob"), slot(1), coupon.partition(), NOW);

    assertThatExceptionOfType(UnrecordableException.class)
        .isThrownBy(
            () -> lateClaims().add(List.of(late(claim(coupon, "alice", 1)), ofUnknownCoupon)));
    assertLateClaimsOf(coupon);
  }

  @Test
  void late_claims_are_counted_up_to_a_maximum() {
    var coupon = defined(aCoupon());
    assertThat(database().lateClaims().count(2)).isZero();
    add(claim(coupon, "alice", 1));
    assertThat(database().lateClaims().count(2)).isEqualTo(1);
    add(claim(coupon, "bob", 2), claim(coupon, "carol", 3));
    assertThat(database().lateClaims().count(2)).isEqualTo(2);
  }

  @Test
  void the_highest_partition_is_computed_from_late_claims_only() {
    assertThat(lateClaims().highestPartition()).isEmpty();
    var first = defined(aCoupon().withId("AA").inPartition(2));
    var second = defined(aCoupon().withId("BB").inPartition(5));
    defined(aCoupon().withId("CC").inPartition(7));
    add(claim(first, "alice", 1), claim(second, "bob", 1));

    assertThat(lateClaims().highestPartition()).contains(new Partition(5));
    settle(second, List.of(), List.of(), List.of(user("bob")));
    assertThat(lateClaims().highestPartition()).contains(new Partition(2));
  }

  @Test
  void the_next_late_claims_are_of_one_coupon_of_the_partition_by_promised_slot() {
    var elsewhere = defined(aCoupon().withId("AA").inPartition(1));
    var first = defined(aCoupon().withId("BB").inPartition(2));
    var second = defined(aCoupon().withId("CC").inPartition(2));
    add(claim(second, "dora", 1), claim(elsewhere, "erik", 1));
    add(claim(first, "alice", 9), claim(first, "bob", 3), claim(first, "carl", 10));

    assertThat(lateClaims().next(new Partition(2), null, PAGE))
        .containsExactly(
            late(claim(first, "bob", 3)),
            late(claim(first, "alice", 9)),
            late(claim(first, "carl", 10)));
    assertThat(lateClaims().next(new Partition(2), null, 2))
        .containsExactly(late(claim(first, "bob", 3)), late(claim(first, "alice", 9)));
    assertThat(lateClaims().next(new Partition(3), null, PAGE)).isEmpty();
    assertThat(lateClaims().next(new Partition(2), elsewhere.id(), 1))
        .containsExactly(late(claim(first, "bob", 3)));
    assertThat(lateClaims().next(new Partition(2), first.id(), PAGE))
        .containsExactly(late(claim(second, "dora", 1)));
    assertThat(lateClaims().next(new Partition(2), second.id(), PAGE)).isEmpty();

    settle(first, List.of(), List.of(), List.of(user("alice"), user("bob"), user("carl")));
    assertThat(lateClaims().next(new Partition(2), null, PAGE))
        .containsExactly(late(claim(second, "dora", 1)));
  }

  @Test
  void pages_are_sorted_by_the_bytes_of_the_user_id() {
    var coupon = defined(aCoupon());
    add(claim(coupon, "b", 1), claim(coupon, "B", 2), claim(coupon, "a-1", 3));
    add(claim(coupon, "a1", 4), claim(defined(aCoupon().withId("OTHER")), "a2", 5));

    var first = lateClaims().page(coupon.id(), null, 2);
    var second = lateClaims().page(coupon.id(), first.getLast().userId(), 2);

    assertThat(first).containsExactly(late(claim(coupon, "B", 2)), late(claim(coupon, "a-1", 3)));
    assertThat(second).containsExactly(late(claim(coupon, "a1", 4)), late(claim(coupon, "b", 1)));
    assertThat(lateClaims().page(coupon.id(), user("b"), 2)).isEmpty();
  }

  @Test
  void the_late_claims_of_the_given_users_are_found() {
    var coupon = defined(aCoupon());
    add(claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    add(claim(defined(aCoupon().withId("OTHER")), "carl", 3));

    assertThat(lateClaims().waiting(coupon.id(), List.of(user("bob"), user("carl"))))
        .containsOnlyKeys(user("bob"))
        .containsEntry(user("bob"), late(claim(coupon, "bob", 2)));
    assertThat(lateClaims().waiting(coupon.id(), List.of())).isEmpty();
  }

  @Test
  void the_late_and_rejected_claims_of_a_user_are_found_by_their_coupons() {
    var coupon = defined(aCoupon());
    var other = defined(aCoupon().withId("OTHER"));
    add(claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    add(claim(other, "bob", 1));
    settle(coupon, List.of(), List.of(user("bob")), List.of());
    var both = List.of(coupon.id(), other.id(), UNKNOWN);

    assertThat(lateClaims().waiting(user("bob"), both))
        .containsOnlyKeys(other.id())
        .containsEntry(other.id(), late(claim(other, "bob", 1)));
    assertThat(lateClaims().rejected(user("bob"), both)).containsExactly(coupon.id());
    assertThat(lateClaims().rejected(user("alice"), both)).isEmpty();
    assertThat(lateClaims().waiting(user("bob"), List.of())).isEmpty();
    assertThat(lateClaims().rejected(user("bob"), List.of())).isEmpty();
  }

  @Test
  void settling_records_adopted_and_rejected_claims_and_deletes_all_settled_late_claims() {
    var coupon = defined(aCoupon());
    add(claim(coupon, "alice", 1), claim(coupon, "bob", 2), claim(coupon, "carl", 3));
    add(claim(coupon, "dora", 4));

    var staying =
        settle(
            coupon,
            List.of(claim(coupon, "alice", 7)),
            List.of(user("bob")),
            List.of(user("carl")));

    assertThat(staying).isEmpty();
    assertRowsOf(coupon, claim(coupon, "alice", 7));
    assertLateClaimsOf(coupon, claim(coupon, "dora", 4));
    assertThat(lateClaims().isRejected(coupon.id(), user("bob"))).isTrue();
    assertThat(lateClaims().isRejected(coupon.id(), user("alice"))).isFalse();
    assertThat(lateClaims().isRejected(coupon.id(), user("carl"))).isFalse();
  }

  @Test
  void settling_again_changes_nothing() {
    var coupon = defined(aCoupon());
    add(claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    for (int i = 0; i < 3; i++) {
      assertThat(
              settle(coupon, List.of(claim(coupon, "alice", 1)), List.of(user("bob")), List.of()))
          .isEmpty();
    }

    assertRowsOf(coupon, claim(coupon, "alice", 1));
    assertThat(lateClaims().rejected(coupon.id(), null, PAGE)).containsExactly(user("bob"));
  }

  @Test
  void an_adopted_claim_whose_slot_belongs_to_another_user_stays_late() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "winner", 1));
    add(claim(coupon, "alice", 1), claim(coupon, "bob", 2));

    var staying =
        settle(
            coupon,
            List.of(claim(coupon, "alice", 1), claim(coupon, "bob", 2)),
            List.of(),
            List.of());

    assertThat(staying).containsExactly(user("alice"));
    assertRowsOf(coupon, claim(coupon, "winner", 1), claim(coupon, "bob", 2));
    assertLateClaimsOf(coupon, claim(coupon, "alice", 1));
  }

  @Test
  void an_adopted_claim_whose_slot_is_above_the_quantity_stays_late() {
    var coupon = defined(aCoupon().withTotal(5));
    add(claim(coupon, "alice", 1));

    assertThat(settle(coupon, List.of(claim(coupon, "alice", 6)), List.of(), List.of()))
        .containsExactly(user("alice"));
    assertRowsOf(coupon);
    assertLateClaimsOf(coupon, claim(coupon, "alice", 1));
  }

  @Test
  void an_adopted_claim_of_a_user_with_a_row_is_deleted_and_the_row_is_not_changed() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    add(claim(coupon, "alice", 1), claim(coupon, "bob", 2));

    var staying =
        settle(
            coupon,
            List.of(claim(coupon, "alice", 1), claim(coupon, "bob", 8)),
            List.of(),
            List.of());

    assertThat(staying).isEmpty();
    assertRowsOf(coupon, claim(coupon, "alice", 1), claim(coupon, "bob", 2));
    assertLateClaimsOf(coupon);
  }

  @Test
  void settling_in_another_epoch_changes_nothing() {
    var coupon = defined(aCoupon());
    add(claim(coupon, "alice", 1), claim(coupon, "bob", 2), claim(coupon, "carl", 3));

    var staying =
        settle(
            EPOCH - 1,
            coupon,
            List.of(claimOfEpoch(EPOCH - 1, coupon, "alice", 1)),
            List.of(user("bob")),
            List.of(user("carl")));

    assertThat(staying).containsExactlyInAnyOrder(user("alice"), user("bob"), user("carl"));
    assertThat(lateClaimsOf(coupon)).hasSize(3);
    assertRowsOf(coupon);
    assertThat(lateClaims().isRejected(coupon.id(), user("bob"))).isFalse();
  }

  @Test
  void adopted_claims_of_another_epoch_or_coupon_are_an_illegal_argument() {
    var coupon = defined(aCoupon());
    var other = defined(aCoupon().withId("OTHER"));

    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            settle(
                coupon,
                List.of(claimOfEpoch(EPOCH + 1, coupon, "alice", 1)),
                List.of(),
                List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settle(coupon, List.of(claim(other, "alice", 1)), List.of(), List.of()));
  }

  @Test
  void rejected_users_are_paged_by_the_bytes_of_the_user_id() {
    var coupon = defined(aCoupon());
    settle(coupon, List.of(), List.of(user("b"), user("B"), user("a")), List.of());
    settle(defined(aCoupon().withId("OTHER")), List.of(), List.of(user("c")), List.of());

    assertThat(lateClaims().rejected(coupon.id(), null, 2)).containsExactly(user("B"), user("a"));
    assertThat(lateClaims().rejected(coupon.id(), user("a"), 2)).containsExactly(user("b"));
    assertThat(lateClaims().rejected(coupon.id(), user("b"), 2)).isEmpty();
  }

  @Test
  void a_settled_late_claim_has_a_row_and_its_redelivery_changes_nothing() {
    var coupon = defined(aCoupon());
    var claim = claim(coupon, "alice", 1);
    database().epochs().raise(coupon.partition(), new Epoch(EPOCH + 1));

    assertThat(record(claim)).containsExactly(new RecordOutcome.Late(new Epoch(EPOCH + 1)));
    assertThat(lateClaims().next(coupon.partition(), null, PAGE)).containsExactly(late(claim));
    var adopted = claimOfEpoch(EPOCH + 1, coupon, "alice", 1);
    assertThat(settle(EPOCH + 1, coupon, List.of(adopted), List.of(), List.of())).isEmpty();
    assertThat(record(claim)).containsExactly(new RecordOutcome.AlreadyRecorded());

    assertRowsOf(coupon, claim);
    assertLateClaimsOf(coupon);
  }

  @Test
  void a_rejected_claim_that_is_delivered_again_stays_rejected() {
    var coupon = defined(aCoupon());
    var old = claimOfEpoch(EPOCH - 1, coupon, "alice", 1);
    record(old);
    settle(coupon, List.of(), List.of(user("alice")), List.of());

    assertThat(record(old)).containsExactly(new RecordOutcome.Late(new Epoch(EPOCH)));
    assertLateClaimsOf(coupon);
    assertThat(lateClaims().isRejected(coupon.id(), user("alice"))).isTrue();
  }
}
