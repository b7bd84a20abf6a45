package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponRepository.EditOutcome;
import io.firstcome.domain.waitingroom.RoomRecord;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link CouponRepository} does with drafts, and with edits of coupons. */
public abstract class CouponEditContract extends DatabaseContract {

  private static final Currency JPY = Currency.getInstance("JPY");

  private CouponRepository coupons() {
    return database().coupons();
  }

  private Coupon added(Coupon coupon) {
    assertThat(coupons().addIfAbsent(coupon, OPERATOR, ACCEPTED_AT)).isTrue();
    return coupon;
  }

  private boolean change(Coupon before, Coupon changed) {
    return coupons()
        .change(CouponFixtures.changed(before, changed), OPERATOR, ACCEPTED_AT.plusSeconds(1));
  }

  @Test
  void a_change_can_replace_every_member_of_a_definition() {
    var before =
        added(
            aCoupon()
                .draft()
                .withDiscount(new Discount.Percent(1_250, JPY, new Money(3_000, JPY)))
                .withMinimumOrder(new Money(700, JPY))
                .endingAt(Instant.parse("2099-12-31T23:59:59.999Z"))
                .returningToStock()
                .build());
    var opensAt = Instant.parse("2030-01-01T00:00:00Z");
    var after =
        aCoupon()
            .draft()
            .named("Another name")
            .withTotal(3)
            .opening(opensAt, opensAt.plusSeconds(60))
            .withRevision(2)
            .build();

    assertThat(change(before, after)).isTrue();

    assertThat(coupons().find(before.id())).contains(after);
  }

  @Test
  void a_draft_has_no_stock_that_is_rebuilt_or_brought_up_to_date() {
    var draft = added(aCoupon().draft().inPartition(4).build());

    assertThat(coupons().inPartition(new Partition(4))).isEmpty();
    assertThat(coupons().unapplied(null, PAGE)).isEmpty();

    var published = aCoupon().inPartition(4).withRevision(2).build();
    change(draft, published);
    assertThat(coupons().inPartition(new Partition(4))).containsExactly(published);
    assertThat(coupons().unapplied(null, PAGE)).containsExactly(published);
  }

  @Test
  void only_a_draft_of_the_expected_revision_is_deleted() {
    var draft = added(aCoupon().draft().withRevision(3).build());
    var active = added(aCoupon().withId("ACTIVE").build());

    assertThat(delete(aCoupon().draft().withRevision(2).build())).isFalse();
    assertThat(delete(aCoupon().withId("ACTIVE").draft().build())).isFalse();
    assertThat(delete(aCoupon().withId("NONE").draft().build())).isFalse();
    assertThat(coupons().find(active.id())).contains(active);
    assertThat(coupons().find(draft.id())).contains(draft);

    assertThat(delete(draft)).isTrue();
    assertThat(coupons().find(draft.id())).isEmpty();
    assertThat(database().audit().ofCoupon(draft.id(), null, 1))
        .extracting(kept -> kept.entry())
        .containsExactly(AuditEntry.ofDeletion(draft, OPERATOR, ACCEPTED_AT));
  }

  @Test
  void the_id_of_a_deleted_draft_is_not_used_again() {
    var draft = added(aCoupon().draft().build());
    assertThat(delete(draft)).isTrue();

    assertThat(coupons().addIfAbsent(draft, OPERATOR, ACCEPTED_AT)).isFalse();
    assertThat(coupons().addIfAbsent(aCoupon().build(), OPERATOR, ACCEPTED_AT)).isFalse();
    assertThat(coupons().find(draft.id())).isEmpty();
    assertThat(database().audit().ofCoupon(draft.id(), null, PAGE))
        .extracting(kept -> kept.entry().action())
        .containsExactly(AuditEntry.Action.DELETE, AuditEntry.Action.DEFINE);
    assertThat(coupons().addIfAbsent(aCoupon().withId("OTHER").build(), OPERATOR, ACCEPTED_AT))
        .isTrue();
  }

  private boolean delete(Coupon draft) {
    return coupons().delete(draft, OPERATOR, ACCEPTED_AT);
  }

  private EditOutcome editUnclaimed(Coupon before, Coupon after, Epoch epoch) {
    return coupons()
        .editUnclaimed(
            CouponFixtures.changed(before, after), epoch, OPERATOR, ACCEPTED_AT.plusSeconds(1));
  }

  private static Coupon halved(int revision) {
    return aCoupon().withTotal(50).withRevision(revision).build();
  }

  @Test
  void a_coupon_without_claims_is_edited_in_the_epoch_of_its_partition() {
    var coupon = defined(aCoupon());

    assertThat(editUnclaimed(coupon, halved(2), new Epoch(EPOCH).next()))
        .isEqualTo(EditOutcome.OTHER_EPOCH);
    assertThat(coupons().find(coupon.id())).contains(coupon);
    assertThat(editUnclaimed(coupon, halved(2), new Epoch(EPOCH))).isEqualTo(EditOutcome.DONE);
    assertThat(coupons().findStored(coupon.id()))
        .hasValueSatisfying(stored -> {
          assertThat(stored.coupon()).isEqualTo(halved(2));
          assertThat(stored.changedAt()).isEqualTo(ACCEPTED_AT.plusSeconds(1));
        });
    assertThat(editUnclaimed(coupon, halved(2), new Epoch(EPOCH))).isEqualTo(EditOutcome.OVERTAKEN);
    assertThat(database().audit().ofCoupon(coupon.id(), null, PAGE))
        .filteredOn(kept -> kept.entry().action() == AuditEntry.Action.EDIT)
        .hasSize(1);
  }

  @Test
  void a_coupon_whose_rows_are_the_stock_is_edited_whatever_the_epoch() {
    var coupon = added(aCoupon().inPostgres().build());
    var after = aCoupon().inPostgres().withTotal(50).withRevision(2).build();

    assertThat(editUnclaimed(coupon, after, new Epoch(77))).isEqualTo(EditOutcome.DONE);
  }

  @Test
  void a_coupon_with_a_stored_claim_is_not_edited() {
    for (var kind : List.of("ROW", "LATE", "RETURNED")) {
      var coupon = defined(aCoupon().withId(kind).returningToStock());
      var claim = claim(coupon, "ann", 1);
      switch (kind) {
        case "LATE" -> database().lateClaims().add(List.of(LateClaim.of(claim)));
        case "RETURNED" -> {
          record(claim);
          giveBack(coupon, "ann");
        }
        default -> record(claim);
      }
      var after = aCoupon().withId(kind).withTotal(50).withRevision(2).build();

      assertThat(editUnclaimed(coupon, after, new Epoch(EPOCH)))
          .as(kind)
          .isEqualTo(EditOutcome.CLAIMED);
      assertThat(coupons().find(coupon.id())).contains(coupon);
    }
  }

  @Test
  void a_coupon_whose_waiting_room_may_have_given_tickets_is_not_edited() {
    var coupon = defined(aCoupon().withWaitingRoom(10));
    var epoch = new Epoch(EPOCH);
    var address = new StockAddress(coupon.id(), coupon.partition(), epoch);
    var after = aCoupon().withWaitingRoom(10).withTotal(50).withRevision(2).build();
    var opened = RoomRecord.EMPTY.opened(new Epoch(EPOCH - 1), 128, 100);

    database().rooms().change(address, _ -> opened);
    assertThat(editUnclaimed(coupon, after, epoch)).isEqualTo(EditOutcome.CLAIMED);
    database().rooms().change(address, record -> record.opened(epoch, 128, 100));
    assertThat(editUnclaimed(coupon, after, epoch)).isEqualTo(EditOutcome.CLAIMED);
    assertThat(coupons().find(coupon.id())).contains(coupon);

    var other = defined(aCoupon().withId("OTHER").withWaitingRoom(10));
    var otherAddress = new StockAddress(other.id(), other.partition(), epoch);
    database().rooms().change(otherAddress, record -> record.opened(epoch, 128, 100));
    var edited =
        aCoupon().withId("OTHER").withWaitingRoom(10).withTotal(50).withRevision(2).build();
    assertThat(editUnclaimed(other, edited, epoch)).isEqualTo(EditOutcome.DONE);
  }

  /** A coupon that was cached before the edit must not be used for a user coupon after it. */
  @Test
  void a_user_coupon_says_since_which_revision_its_coupon_has_its_terms() {
    var coupon = defined(aCoupon());
    editUnclaimed(coupon, halved(2), new Epoch(EPOCH));
    change(halved(2), aCoupon().withTotal(51).withRevision(3).build());

    record(claim(coupon, "ann", 1));

    assertThat(database().userCoupons().find(coupon.id(), user("ann")))
        .hasValueSatisfying(row -> assertThat(row.ownership().termsRevision()).isEqualTo(2));
  }
}
