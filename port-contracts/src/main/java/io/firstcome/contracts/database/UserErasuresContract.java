package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.pseudonymOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.RecordOutcome;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How every database erases users. */
public abstract class UserErasuresContract extends DatabaseContract {

  private static final UserId ANN = user("ann");
  private static final UserId ERASED = pseudonymOf(ANN);

  private UserErasures erasures() {
    return database().erasures();
  }

  private Erasure requested() {
    return erasures().request(ANN, OPERATOR, ACCEPTED_AT);
  }

  /** Erases the user from the coupon. */
  private Optional<Obstacle> erase(Erasure erasure, CouponId couponId) {
    return erasures().erase(erasure.id(), couponId, ERASED, true, () -> {});
  }

  private Coupon couponOf(String... users) {
    return couponOf(aCoupon(), users);
  }

  /** The users have its first slots, and all events are published. */
  private Coupon couponOf(CouponFixtures.CouponBuilder builder, String... users) {
    var coupon = defined(builder);
    for (int i = 0; i < users.length; i++) {
      record(claim(coupon, users[i], i + 1));
    }
    publishEvents();
    return coupon;
  }

  private void publishEvents() {
    while (database().events().publishNext(PAGE, _ -> {}) > 0) {
      // The next page.
    }
  }

  private UserCoupon row(Coupon coupon, UserId user) {
    return database().userCoupons().find(coupon.id(), user).orElseThrow();
  }

  @Test
  void a_request_is_stored_once_until_it_has_ended() {
    var first = requested();

    assertThat(requested()).isEqualTo(first);
    assertThat(erasures().find(first.id())).contains(first);
    assertThat(first.userId()).isEqualTo(ANN);
    assertThat(first.hasEnded()).isFalse();

    assertThat(erasures().end(first.id(), ACCEPTED_AT)).isTrue();
    var second = requested();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(erasures().pending(null, PAGE)).containsExactly(second);
  }

  @Test
  void pending_requests_are_read_in_pages_in_their_order() {
    var all = new ArrayList<Erasure>();
    for (var user : List.of("cy", "ann", "bob")) {
      all.add(erasures().request(user(user), OPERATOR, ACCEPTED_AT));
    }

    assertThat(erasures().pending(null, 2)).containsExactlyElementsOf(all.subList(0, 2));
    assertThat(erasures().pending(all.get(1).id(), 2)).containsExactly(all.get(2));
    assertThat(erasures().pending(all.get(2).id(), 2)).isEmpty();
  }

  @Test
  void the_user_coupon_gets_the_pseudonym_and_another_revision() {
    var coupon = couponOf("ann", "bob");
    var before = row(coupon, ANN);

    assertThat(erase(requested(), coupon.id())).isEmpty();

    assertThat(database().userCoupons().find(coupon.id(), ANN)).isEmpty();
    var after = row(coupon, ERASED);
    assertThat(after.identity()).isEqualTo(before.identity());
    assertThat(after.slot()).isEqualTo(before.slot());
    assertThat(after.revision()).isEqualTo(before.revision() + 1);
    assertThat(database().userCoupons().find(before.identity().code())).contains(after);
    assertThat(row(coupon, user("bob")).revision()).isEqualTo(1);
    assertThat(database().userCoupons().slotOwners(coupon.id(), null, PAGE))
        .extracting(owner -> owner.userId())
        .containsExactly(ERASED, user("bob"));
  }

  @Test
  void a_step_that_was_decided_before_the_erasure_is_not_recorded_after_it() {
    var coupon = couponOf("ann");
    var before = (UserCoupon.Issued) row(coupon, ANN);
    erase(requested(), coupon.id());

    var step =
        new UserCouponChange(
            before, before.giveBack(ACCEPTED_AT, false), Actor.customer(ANN), ACCEPTED_AT);
    assertThat(database().userCoupons().change(step)).isFalse();
  }

  @Test
  void the_audit_trail_of_the_user_coupon_names_the_pseudonym() {
    var coupon = couponOf("ann");
    var before = (UserCoupon.Issued) row(coupon, ANN);
    takeStep(before, before.giveBack(ACCEPTED_AT, false));
    publishEvents();

    erase(requested(), coupon.id());

    assertThat(database().audit().ofUserCoupon(before.id(), null, PAGE))
        .extracting(kept -> kept.entry().actor())
        .containsExactly(Actor.customer(ERASED));
  }

  @Test
  void an_erasure_waits_until_the_events_of_the_user_coupon_are_published() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "ann", 1));
    var erasure = requested();

    assertThat(erase(erasure, coupon.id())).contains(Obstacle.EVENTS);
    row(coupon, ANN);

    publishEvents();
    record(claim(coupon, "bob", 2));
    assertThat(erase(erasure, coupon.id())).as("an event of another user").isEmpty();
  }

  @Test
  void an_erasure_waits_for_the_event_of_a_step() {
    var coupon = couponOf("ann");
    var issued = (UserCoupon.Issued) row(coupon, ANN);
    takeStep(issued, issued.expire());

    assertThat(erase(requested(), coupon.id())).contains(Obstacle.EVENTS);
  }

  @Test
  void events_that_are_never_published_do_not_delay_an_erasure() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "ann", 1));

    var obstacle = erasures().erase(requested().id(), coupon.id(), ERASED, false, () -> {});

    assertThat(obstacle).isEmpty();
    row(coupon, ERASED);
  }

  @Test
  void an_erasure_waits_until_a_returned_slot_is_released() {
    var coupon = couponOf(aCoupon().returningToStock(), "ann");
    giveBack(coupon, "ann");
    publishEvents();
    var erasure = requested();

    assertThat(erase(erasure, coupon.id())).contains(Obstacle.SLOT_RELEASE);

    database().slotReturns().noteReleased(row(coupon, ANN).id());
    publishEvents();
    assertThat(erase(erasure, coupon.id())).isEmpty();
    assertThat(database().userCoupons().slotOwners(coupon.id(), null, PAGE))
        .containsExactly(new SlotOwner(ERASED, slot(1), 1, false));
  }

  @Test
  void a_failure_of_the_stock_leaves_the_row_unchanged() {
    var coupon = couponOf("ann");
    var before = row(coupon, ANN);

    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() ->
            erasures()
                .erase(
                    requested().id(),
                    coupon.id(),
                    ERASED,
                    true,
                    () -> {
                      throw new StockFencedException("recovering");
                    }));

    assertThat(row(coupon, ANN)).isEqualTo(before);
  }

  @Test
  void a_rejected_claim_gets_the_pseudonym() {
    var coupon = couponOf("bob");
    database()
        .lateClaims()
        .settle(
            new LateClaimSettlement(
                coupon.partition(),
                new Epoch(EPOCH),
                coupon.id(),
                List.of(),
                List.of(ANN),
                List.of(),
                ACCEPTED_AT));
    assertThat(erasures().coupons(ANN, null, PAGE)).containsExactly(coupon.id());

    erase(requested(), coupon.id());

    assertThat(database().lateClaims().rejected(coupon.id(), null, PAGE)).containsExactly(ERASED);
    assertThat(erasures().coupons(ANN, null, PAGE)).isEmpty();
  }

  @Test
  void a_claim_that_is_delivered_again_after_the_erasure_is_recorded_already() {
    var coupon = couponOf("ann");
    erase(requested(), coupon.id());

    assertThat(record(claim(coupon, "ann", 1)))
        .containsExactly(new RecordOutcome.AlreadyRecorded());
    assertThat(record(claim(coupon, "ann", 2)))
        .containsExactly(new RecordOutcome.UserHasOtherSlot(slot(1)));
    assertThat(record(claimOfEpoch(EPOCH - 1, coupon, "ann", 1)))
        .containsExactly(new RecordOutcome.AlreadyRecorded());
    assertThat(lateClaimsOf(coupon)).isEmpty();
  }

  @Test
  void the_coupons_of_a_user_are_read_in_pages() {
    var b = couponOf(aCoupon().withId("BAGS"), "ann");
    var a = couponOf(aCoupon().withId("APPLES"), "ann", "bob");
    couponOf(aCoupon().withId("CAKES"), "bob");

    assertThat(erasures().coupons(ANN, null, 1)).containsExactly(a.id());
    assertThat(erasures().coupons(ANN, a.id(), 1)).containsExactly(b.id());
    assertThat(erasures().coupons(ANN, b.id(), 1)).isEmpty();
  }

  @Test
  void an_erasure_ends_when_nothing_names_the_user() {
    var coupon = couponOf("ann");
    var erasure = requested();
    assertThat(erasures().end(erasure.id(), ACCEPTED_AT)).isFalse();

    erase(erasure, coupon.id());
    assertThat(erasures().end(erasure.id(), ACCEPTED_AT)).isTrue();

    assertThat(erasures().find(erasure.id()))
        .contains(new Erasure(erasure.id(), null, ACCEPTED_AT, null, 1, ACCEPTED_AT));
    assertThat(erasures().end(erasure.id(), ACCEPTED_AT)).as("again").isFalse();
  }

  @Test
  void a_late_claim_of_the_user_is_an_obstacle() {
    var coupon = defined(aCoupon());
    record(claimOfEpoch(EPOCH - 1, coupon, "ann", 1));

    assertThat(erasures().unrecorded(ANN)).contains(Obstacle.LATE_CLAIM);
    assertThat(erasures().unrecorded(user("bob"))).isEmpty();
    assertThat(erasures().end(requested().id(), ACCEPTED_AT)).isFalse();
  }

  @Test
  void a_dead_letter_with_a_claim_of_the_user_is_an_obstacle() {
    var coupon = defined(aCoupon());
    var claim = claim(coupon, "ann", 1);
    var entry =
        new HandoffEntry(
            new EntryReference(coupon.partition(), "1-1", new Epoch(EPOCH)),
            coupon.id(),
            ACCEPTED_AT,
            List.of(slotClaim(claim(coupon, "bob", 2)), slotClaim(claim)));
    database()
        .deadLetters()
        .add(
            List.of(new DeadLetter.Draft(new DeadLetter.Content.Claims(entry), "a test")),
            ACCEPTED_AT);

    assertThat(erasures().unrecorded(ANN)).contains(Obstacle.DEAD_LETTER);
    assertThat(erasures().unrecorded(user("cy"))).isEmpty();
    assertThat(erasures().end(requested().id(), ACCEPTED_AT)).isFalse();
  }

  @Test
  void a_message_that_cannot_be_read_is_an_obstacle_if_it_names_the_user() {
    var user = user("quote\"and\\");
    keepUnreadable("{\"userId\":\"ann\",");
    keepUnreadable("[\"quote\\\"and\\\\\"]");

    assertThat(erasures().unrecorded(ANN)).contains(Obstacle.DEAD_LETTER);
    assertThat(erasures().unrecorded(user)).contains(Obstacle.DEAD_LETTER);
    assertThat(erasures().unrecorded(user("an"))).as("a part of an id").isEmpty();
    assertThat(erasures().end(requested().id(), ACCEPTED_AT)).isFalse();
  }

  private void keepUnreadable(String body) {
    var base64 = Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.US_ASCII));
    database()
        .deadLetters()
        .add(
            List.of(new DeadLetter.Draft(new DeadLetter.Content.Unreadable(base64), "a test")),
            ACCEPTED_AT);
  }

  @Test
  void the_latest_obstacle_is_noted_until_the_end() {
    var erasure = requested();

    erasures().noteObstacle(erasure.id(), Obstacle.STOCK);
    assertThat(erasures().find(erasure.id()).orElseThrow().waitsFor()).isEqualTo(Obstacle.STOCK);

    erasures().end(erasure.id(), ACCEPTED_AT);
    erasures().noteObstacle(erasure.id(), Obstacle.STOCK);
    assertThat(erasures().find(erasure.id()).orElseThrow().waitsFor()).isNull();
  }

  @Test
  void an_ended_erasure_changes_nothing() {
    var erasure = requested();
    erasures().end(erasure.id(), ACCEPTED_AT);
    var coupon = couponOf("ann");

    assertThat(erase(erasure, coupon.id())).isEmpty();

    assertThat(row(coupon, ANN).revision()).isEqualTo(1);
  }
}
