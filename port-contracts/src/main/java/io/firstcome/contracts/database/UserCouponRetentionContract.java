package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.campaign;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.port.ExportFailedException;
import io.firstcome.domain.port.RetentionExport;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.retention.ExportPart;
import io.firstcome.domain.retention.ExportedUserCoupon;
import io.firstcome.domain.retention.RejectedClaim;
import io.firstcome.domain.retention.RemovalStep;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.RecordedRedemption.State;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How every database removes the rows of archived coupons after their retention. */
public abstract class UserCouponRetentionContract extends DatabaseContract {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Instant OPENED = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant CLOSED = Instant.parse("2021-01-01T00:00:00Z");
  private static final Instant EXPIRED = Instant.parse("2021-02-01T00:00:00Z");
  private static final Currency EUR = Currency.getInstance("EUR");

  private final List<ExportPart> exported = new ArrayList<>();

  @BeforeEach
  void beginWithoutExports() {
    exported.clear();
  }

  private UserCouponRetention retention() {
    return database().retention();
  }

  private static Instant endedBy(Duration retention) {
    return Instant.now().minus(retention);
  }

  private static CouponFixtures.CouponBuilder aPastCoupon() {
    return aCoupon()
        .opening(OPENED, CLOSED)
        .withValidity(new Validity.Until(EXPIRED))
        .returningToStock();
  }

  /** The coupon is closed, these users have its first slots, and all events are published. */
  private Coupon closed(CouponFixtures.CouponBuilder coupon, String... users) {
    var defined = defined(coupon.closed());
    for (int i = 0; i < users.length; i++) {
      record(claim(defined, users[i], i + 1));
    }
    return defined;
  }

  private Coupon closed(String... users) {
    return closed(aPastCoupon(), users);
  }

  /** Archives the coupon, so that its removal can begin. */
  private CouponId archived(Coupon closed) {
    expireAll(closed);
    publishEvents();
    return withoutStock(closed);
  }

  private void expireAll(Coupon coupon) {
    for (var owner : database().userCoupons().slotOwners(coupon.id(), null, PAGE)) {
      if (row(coupon, owner) instanceof UserCoupon.Issued issued) {
        takeStep(issued, issued.expire());
      }
    }
  }

  private UserCoupon row(Coupon coupon, SlotOwner owner) {
    return database().userCoupons().find(coupon.id(), owner.userId()).orElseThrow();
  }

  private void publishEvents() {
    while (database().events().publishNext(PAGE, _ -> {}) > 0) {
      // The next page.
    }
  }

  private CouponId withoutStock(Coupon closed) {
    var change = (CouponChange.Changed) closed.archive();
    assertThat(database().coupons().change(change, CouponFixtures.OPERATOR, ACCEPTED_AT)).isTrue();
    database().coupons().noteApplied(closed.id(), change.coupon().revision());
    return closed.id();
  }

  private RemovalStep next(CouponId couponId, @Nullable SlotOwner after, int max) {
    return retention().removeNext(couponId, after, max, exported::add);
  }

  private void removeAll(CouponId couponId, int max) {
    assertThat(retention().begin(couponId, endedBy(DAY))).isTrue();
    SlotOwner last = null;
    while (next(couponId, last, max) instanceof RemovalStep.Removed(_, var newLast)) {
      last = newLast;
    }
  }

  private StoredCoupon.@Nullable Removal removal(CouponId couponId) {
    return database().coupons().findStored(couponId).orElseThrow().removal();
  }

  private Stream<ExportedUserCoupon> exportedUserCoupons() {
    return exported.stream()
        .flatMap(part ->
            part instanceof ExportPart.UserCoupons(_, var items) ? items.stream() : Stream.empty());
  }

  @Test
  void a_coupon_is_due_when_it_is_archived_and_its_retention_is_over() {
    var closed = closed("alice");
    assertThat(retention().due(endedBy(DAY), null, PAGE)).isEmpty();

    var due = archived(closed);

    assertThat(retention().due(endedBy(DAY), null, PAGE)).containsExactly(due);
    assertThat(retention().due(CLOSED, null, PAGE)).isEmpty();
    assertThat(retention().due(endedBy(DAY), due, PAGE)).isEmpty();
  }

  @Test
  void a_coupon_is_not_due_before_its_stock_is_removed_or_while_its_user_coupons_are_valid() {
    var coupon = defined(aPastCoupon().archived());
    var valid =
        defined(
            aPastCoupon()
                .withId("VALID")
                .withValidity(new Validity.Until(Instant.now().plus(DAY)))
                .archived());
    database().coupons().noteApplied(valid.id(), 1);

    assertThat(retention().due(endedBy(DAY), null, PAGE)).isEmpty();
    assertThat(retention().begin(coupon.id(), endedBy(DAY))).isFalse();
    assertThat(retention().begin(valid.id(), endedBy(DAY))).isFalse();
    assertThat(retention().begin(UNKNOWN, endedBy(DAY))).isFalse();
  }

  @Test
  void every_user_coupon_is_exported_once_in_parts_and_removed() {
    var coupon = closed("alice", "bob", "carol", "dave", "erin");
    var id = archived(coupon);

    removeAll(id, 2);

    assertThat(exported).hasSize(3);
    assertThat(exportedUserCoupons().map(one -> one.userCoupon().userId().value()))
        .containsExactly("alice", "bob", "carol", "dave", "erin");
    assertThat(database().userCoupons().slotOwners(id, null, PAGE)).isEmpty();
    assertThat(database().userCoupons().find(id, user("alice"))).isEmpty();
    var removal = Objects.requireNonNull(removal(id));
    assertThat(removal.userCoupons()).isEqualTo(5);
    assertThat(removal.endedAt()).isNotNull();
    assertThat(retention().due(endedBy(DAY), null, PAGE)).isEmpty();
    assertThat(next(id, null, PAGE)).isEqualTo(new RemovalStep.Elsewhere());
  }

  @Test
  void the_end_of_a_removal_is_audited() {
    var id = archived(closed("alice", "bob"));

    removeAll(id, PAGE);

    var newest = database().audit().ofCoupon(id, null, 1).getFirst().entry();
    assertThat(newest.action()).isEqualTo(AuditEntry.Action.REMOVE_USER_COUPONS);
    assertThat(newest.detail()).isEqualTo("2 user coupons");
  }

  @Test
  void a_user_coupon_is_exported_with_its_redemptions_and_audit_entries() {
    var coupon = closed("alice", "bob");
    var issued = database().userCoupons().find(coupon.id(), user("alice")).orElseThrow();
    var order = new Redemption(new OrderId("order-1"), new Money(2_000, EUR), new Money(500, EUR));
    var held = ((UserCoupon.Issued) issued).hold(order, ACCEPTED_AT.plusSeconds(60));
    takeStep(issued, held);
    var used = held.confirm(ACCEPTED_AT);
    takeStep(held, used);

    removeAll(archived(coupon), PAGE);

    var alices = exportedUserCoupons().findFirst().orElseThrow();
    assertThat(alices.userCoupon()).isEqualTo(used);
    assertThat(alices.redemptions())
        .singleElement()
        .satisfies(redemption -> {
          assertThat(redemption.redemption()).isEqualTo(order);
          assertThat(redemption.state()).isEqualTo(State.CONFIRMED);
        });
    assertThat(alices.audit().stream().map(kept -> kept.entry().action()))
        .containsExactly(AuditEntry.Action.HOLD, AuditEntry.Action.CONFIRM);
    assertThat(database().userCoupons().find(issued.id())).isEmpty();
    assertThat(database().audit().ofUserCoupon(issued.id(), null, PAGE)).isEmpty();
    assertThat(database().audit().ofCoupon(coupon.id(), null, PAGE))
        .as("entries of the coupon stay")
        .isNotEmpty()
        .allSatisfy(kept -> assertThat(kept.entry().userCouponId()).isNull());
  }

  @Test
  void returned_ones_follow_those_that_have_their_slot_then_the_rejected_claims() {
    var coupon = closed("alice", "bob");
    giveBack(coupon, "alice");
    release(coupon, "alice");
    record(claim(coupon, "carol", 1));
    reject(coupon, "dave");

    removeAll(archived(coupon), PAGE);

    assertThat(exportedUserCoupons().map(one -> one.userCoupon().userId().value()))
        .containsExactly("carol", "bob", "alice");
    assertThat(exported)
        .hasSize(3)
        .last()
        .isEqualTo(
            new ExportPart.RejectedClaims(
                coupon.id(), List.of(new RejectedClaim(user("dave"), ACCEPTED_AT))));
    assertThat(database().lateClaims().rejected(coupon.id(), null, PAGE)).isEmpty();
  }

  private void release(Coupon coupon, String user) {
    var row = database().userCoupons().find(coupon.id(), user(user)).orElseThrow();
    database().slotReturns().noteReleased(row.id());
  }

  private void reject(Coupon coupon, String user) {
    database().lateClaims().add(List.of(late(claim(coupon, user, 9))));
    database()
        .lateClaims()
        .settle(
            new LateClaimSettlement(
                coupon.partition(),
                new Epoch(EPOCH),
                coupon.id(),
                List.of(),
                List.of(user(user)),
                List.of(),
                ACCEPTED_AT));
  }

  @Test
  void a_coupon_without_rows_ends_at_once() {
    var id = archived(closed());

    assertThat(retention().begin(id, endedBy(DAY))).isTrue();
    assertThat(next(id, null, PAGE)).isEqualTo(new RemovalStep.Ended());
    assertThat(exported).isEmpty();
  }

  @Test
  void rows_stay_if_they_cannot_be_exported() {
    var id = archived(closed("alice", "bob"));
    assertThat(retention().begin(id, endedBy(DAY))).isTrue();
    RetentionExport failing =
        _ -> {
          throw new ExportFailedException("full", new IllegalStateException("full"));
        };

    assertThatExceptionOfType(ExportFailedException.class)
        .isThrownBy(() -> retention().removeNext(id, null, PAGE, failing));

    assertThat(database().userCoupons().slotOwners(id, null, PAGE)).hasSize(2);
    removeAll(id, PAGE);
    assertThat(exportedUserCoupons()).hasSize(2);
  }

  @Test
  void nothing_is_removed_before_the_removal_has_begun() {
    var id = archived(closed("alice"));

    assertThat(next(id, null, PAGE)).isEqualTo(new RemovalStep.Elsewhere());
    assertThat(removal(id)).isNull();
    assertThat(exported).isEmpty();
  }

  @Test
  void a_removal_does_not_begin_while_an_event_is_not_published() {
    var coupon = closed("alice");
    expireAll(coupon);
    var id = withoutStock(coupon);
    assertThat(retention().begin(id, endedBy(DAY))).isFalse();

    publishEvents();

    assertThat(retention().begin(id, endedBy(DAY))).isTrue();
    assertThat(retention().begin(id, endedBy(DAY))).as("again").isTrue();
  }

  @Test
  void a_removal_does_not_begin_before_every_expiry_is_recorded() {
    var coupon = closed("alice");
    publishEvents();
    var id = withoutStock(coupon);

    assertThat(retention().begin(id, endedBy(DAY))).isFalse();
  }

  @Test
  void a_removal_does_not_begin_before_returned_slots_are_released() {
    var coupon = closed("alice");
    giveBack(coupon, "alice");
    var id = archived(coupon);
    assertThat(retention().begin(id, endedBy(DAY))).isFalse();

    release(coupon, "alice");
    publishEvents();

    assertThat(retention().begin(id, endedBy(DAY))).isTrue();
  }

  @Test
  void a_removal_does_not_begin_while_the_coupon_has_late_claims_or_dead_letters() {
    var late = closed(aPastCoupon().withId("LATE"));
    database().lateClaims().add(List.of(late(claim(late, "alice", 1))));
    var dead = closed(aPastCoupon().withId("DEAD"));
    var entry =
        new HandoffEntry(
            new EntryReference(dead.partition(), "1-1", new Epoch(EPOCH)),
            dead.id(),
            ACCEPTED_AT,
            List.of(new SlotClaim(user("alice"), slot(1))));
    database()
        .deadLetters()
        .add(
            List.of(new DeadLetter.Draft(new DeadLetter.Content.Claims(entry), "a reason")),
            ACCEPTED_AT);

    assertThat(retention().begin(archived(late), endedBy(DAY))).isFalse();
    assertThat(retention().begin(archived(dead), endedBy(DAY))).isFalse();
  }

  /** Otherwise the limit of the campaign would no longer count the removed user coupons. */
  @Test
  void a_removal_does_not_begin_before_every_coupon_of_its_campaign_is_archived() {
    var campaign = campaign(1, "SHOES", "SHIRTS");
    database().campaigns().define(campaign, List.of(), CouponFixtures.OPERATOR, ACCEPTED_AT);
    var shoes = closed(aPastCoupon().withId("SHOES").inCampaign(campaign), "alice");
    var shirts = closed(aPastCoupon().withId("SHIRTS").inCampaign(campaign));
    var id = archived(shoes);
    assertThat(retention().begin(id, endedBy(DAY))).isFalse();

    archived(shirts);

    assertThat(retention().begin(id, endedBy(DAY))).isTrue();
  }

  /** Otherwise a message that is delivered again after years would issue a second user coupon. */
  @Test
  void after_a_removal_has_begun_the_coupon_gets_no_rows() {
    var coupon = closed("alice");
    var id = archived(coupon);
    removeAll(id, PAGE);

    assertThat(
            record(
                claim(coupon, "alice", 1),
                claim(coupon, "bob", 2),
                claimOfEpoch(EPOCH - 1, coupon, "carol", 3)))
        .containsOnly(new RecordOutcome.UnknownCoupon());
    assertThat(database().userCoupons().slotOwners(id, null, PAGE)).isEmpty();
    assertThat(lateClaimsOf(coupon)).isEmpty();
  }

  @Test
  void a_user_coupon_that_is_not_final_stops_the_removal() {
    var coupon = closed(aPastCoupon(), "alice");
    var issued =
        (UserCoupon.Issued) database().userCoupons().find(coupon.id(), user("alice")).orElseThrow();
    var order = new Redemption(new OrderId("order-1"), new Money(2_000, EUR), new Money(500, EUR));
    var used = issued.use(order, OPENED);
    takeStep(issued, used);
    var id = archived(coupon);
    assertThat(retention().begin(id, endedBy(DAY))).isTrue();
    takeStep(used, used.undo(OPENED));

    assertThat(next(id, null, PAGE)).isEqualTo(new RemovalStep.NotFinal());

    assertThat(exported).isEmpty();
    assertThat(database().userCoupons().find(id, user("alice"))).isPresent();
  }

  @Test
  void rows_of_another_coupon_stay() {
    var other = closed(aPastCoupon().withId("OTHER"), "alice", "bob");
    var id = archived(closed("alice", "bob"));

    removeAll(id, 1);

    assertThat(exportedUserCoupons()).hasSize(2);
    assertThat(holdersOf(other)).hasSize(2);
  }
}
