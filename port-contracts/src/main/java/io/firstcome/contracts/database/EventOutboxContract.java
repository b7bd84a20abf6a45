package io.firstcome.contracts.database;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.event.CouponEvent.Subject;
import io.firstcome.domain.handoff.LateClaimSettlement;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCoupon.Issued;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which events every database keeps for other systems, and how they are published. */
public abstract class EventOutboxContract extends DatabaseContract {

  private static final Currency JPY = Currency.getInstance("JPY");
  private static final Instant NOW = ACCEPTED_AT.plus(Duration.ofDays(1));
  private static final Redemption ORDER =
      new Redemption(new OrderId("order-1"), new Money(2_000, JPY), new Money(500, JPY));
  private static final String HOSTILE_REASON = "{NULL, \"a\\b\", 'ü'}" + "r".repeat(400);

  /** Collects what was published, a list for each call. */
  private static final class Calls implements EventPublisher {

    private final List<List<CouponEvent>> batches = new ArrayList<>();

    @Override
    public void publish(List<CouponEvent> events) {
      batches.add(events);
    }

    List<CouponEvent> all() {
      return batches.stream().flatMap(List::stream).toList();
    }
  }

  private EventOutbox outbox() {
    return database().events();
  }

  /** Publishes all pending events and returns them. */
  private List<CouponEvent> published() {
    var publisher = new Calls();
    while (outbox().publishNext(PAGE, publisher) > 0) {
      assertThat(publisher.batches.getLast()).isNotEmpty();
    }
    return publisher.all();
  }

  private Issued issued(Coupon coupon, String user, int slot) {
    record(claim(coupon, user, slot));
    return (Issued) row(coupon, user);
  }

  private UserCoupon row(Coupon coupon, String user) {
    return database().userCoupons().find(coupon.id(), user(user)).orElseThrow();
  }

  private static Subject subject(UserCoupon userCoupon) {
    return new Subject(userCoupon.id(), userCoupon.revision(), userCoupon.userId());
  }

  private <U extends UserCoupon> U step(UserCoupon before, U after) {
    var change = new UserCouponChange(before, after, Actor.TIME, NOW);
    assertThat(database().userCoupons().change(change)).isTrue();
    return after;
  }

  @Test
  void each_new_row_adds_an_event() {
    var coupon = defined(aCoupon());
    var until = Instant.parse("2100-01-01T00:00:00Z");
    var other = defined(aCoupon().withId("OTHER").endingAt(until));
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2), claim(other, "alice", 1));

    var bob = row(coupon, "bob");
    assertThat(published())
        .hasSize(3)
        .contains(
            new CouponEvent.Issued(
                subject(bob), new Slot(2), ACCEPTED_AT.plus(Duration.ofDays(30)), ACCEPTED_AT),
            new CouponEvent.Issued(subject(row(other, "alice")), new Slot(1), until, ACCEPTED_AT));
  }

  @Test
  void the_age_of_the_oldest_event_counts_from_when_it_happened() {
    assertThat(outbox().oldestAge()).isEmpty();
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));
    var sinceAccepted = Duration.between(ACCEPTED_AT, Instant.now());

    assertThat(outbox().oldestAge())
        .hasValueSatisfying(age -> assertThat(age).isCloseTo(sinceAccepted, Duration.ofMinutes(1)));
    // Also if the user coupon is not live any more.
    var alice = (Issued) row(coupon, "alice");
    step(alice, alice.giveBack(NOW, true));
    assertThat(outbox().oldestAge())
        .hasValueSatisfying(age -> assertThat(age).isCloseTo(sinceAccepted, Duration.ofMinutes(1)));
    assertThat(published()).hasSize(2);
    assertThat(outbox().oldestAge()).isEmpty();
  }

  @Test
  void a_claim_that_becomes_no_row_adds_no_event() {
    var coupon = defined(aCoupon().withTotal(3));
    record(claim(coupon, "alice", 1));
    assertThat(published()).hasSize(1);

    record(
        claim(coupon, "alice", 1),
        claim(coupon, "bob", 1),
        claim(coupon, "carol", 4),
        claimOfEpoch(EPOCH - 1, coupon, "dave", 2));

    assertThat(published()).isEmpty();
  }

  @Test
  void a_refused_batch_adds_no_event() {
    var coupon = defined(aCoupon());
    record(claim(coupon, "alice", 1));
    assertThat(published()).hasSize(1);
    var claim = claim(coupon, "carol", 3);
    var withAlicesIdentity =
        new AcceptedClaim(
            claim.couponId(),
            claim.userId(),
            claim.slot(),
            claim.partition(),
            claim.epoch(),
            claim.acceptedAt(),
            claim(coupon, "alice", 1).identity());

    assertThatExceptionOfType(UnrecordableException.class)
        .isThrownBy(() -> record(claim(coupon, "bob", 2), withAlicesIdentity));

    assertThat(published()).isEmpty();
  }

  @Test
  void a_late_claim_that_gets_a_slot_adds_an_event() {
    var coupon = defined(aCoupon());
    var late = claimOfEpoch(EPOCH - 1, coupon, "alice", 1);
    record(late);
    database()
        .lateClaims()
        .settle(
            new LateClaimSettlement(
                coupon.partition(),
                new Epoch(EPOCH),
                coupon.id(),
                List.of(claim(coupon, "alice", 7)),
                List.of(),
                List.of(),
                NOW));

    assertThat(published())
        .singleElement()
        .isInstanceOfSatisfying(
            CouponEvent.Issued.class, event -> assertThat(event.slot()).isEqualTo(new Slot(7)));
  }

  @Test
  void the_last_slot_of_a_coupon_adds_a_sold_out_event() {
    var coupon = defined(aCoupon().withTotal(2));
    var other = defined(aCoupon().withId("OTHER").withTotal(3));
    record(claim(coupon, "alice", 1), claim(other, "alice", 2));
    assertThat(published()).hasSize(2).noneMatch(CouponEvent.SoldOut.class::isInstance);

    record(claim(coupon, "bob", 2), claim(other, "bob", 1));

    assertThat(published())
        .hasSize(3)
        .contains(new CouponEvent.SoldOut(coupon.id(), 2, ACCEPTED_AT));
  }

  @Test
  void a_released_hold_adds_an_event() {
    var issued = issued(defined(aCoupon()), "alice", 1);
    var held = step(issued, issued.hold(ORDER, NOW.plusSeconds(60)));
    var released = step(held, held.release(NOW));

    assertThat(published().stream().skip(2))
        .containsExactly(new CouponEvent.Released(subject(released), ORDER.orderId(), NOW));
  }

  @Test
  void the_shares_of_a_coupon_have_events_when_they_are_issued_for_the_first_time() {
    var coupon = defined(aCoupon().withTotal(21).returningToStock());
    record(claims(coupon, 16).toArray(AcceptedClaim[]::new));
    assertThat(published()).noneMatch(CouponEvent.OfCoupon.class::isInstance);

    record(
        claim(coupon, "seventeen", 17),
        claim(coupon, "nineteen", 19),
        claim(coupon, "twenty", 20),
        claim(coupon, "last", 21));
    assertThat(published().stream().filter(CouponEvent.OfCoupon.class::isInstance))
        .containsExactlyInAnyOrder(
            new CouponEvent.ShareIssued(coupon.id(), 80, 21, ACCEPTED_AT),
            new CouponEvent.ShareIssued(coupon.id(), 95, 21, ACCEPTED_AT),
            new CouponEvent.SoldOut(coupon.id(), 21, ACCEPTED_AT));

    giveBack(coupon, "seventeen");
    record(claim(coupon, "again", 17));
    assertThat(published()).noneMatch(CouponEvent.OfCoupon.class::isInstance);
  }

  @Test
  void a_sold_out_event_is_not_repeated_after_a_slot_was_returned_and_issued_again() {
    var coupon = defined(aCoupon().withTotal(1).returningToStock());
    record(claim(coupon, "alice", 1));
    giveBack(coupon, "alice");
    assertThat(published()).hasSize(3);

    record(claim(coupon, "bob", 1));

    assertThat(published()).singleElement().isInstanceOf(CouponEvent.Issued.class);
  }

  /** The ids of the events of slots that were released now. */
  private List<String> returnedToSale(Coupon coupon, String user) {
    published();
    giveBack(coupon, user);
    var row = row(coupon, user);
    database().slotReturns().noteReleased(row.id());
    database().slotReturns().noteReleased(row.id());
    return published().stream()
        .filter(CouponEvent.ReturnedToSale.class::isInstance)
        .map(CouponEvent::id)
        .toList();
  }

  @Test
  void a_slot_of_a_sold_out_coupon_that_is_released_adds_one_event() {
    var coupon = defined(aCoupon().withTotal(2).returningToStock());
    record(claim(coupon, "alice", 1), claim(coupon, "bob", 2));

    assertThat(returnedToSale(coupon, "alice")).containsExactly(coupon.id() + "/slot-1/1");
    record(claim(coupon, "carol", 1));
    assertThat(returnedToSale(coupon, "carol")).containsExactly(coupon.id() + "/slot-1/2");
    assertThat(returnedToSale(coupon, "bob")).containsExactly(coupon.id() + "/slot-2/1");
  }

  @Test
  void a_slot_of_a_coupon_that_was_not_sold_out_or_is_not_open_adds_no_event() {
    var coupon = defined(aCoupon().withTotal(2).returningToStock());
    record(claim(coupon, "alice", 1));
    assertThat(returnedToSale(coupon, "alice")).isEmpty();

    var sold = defined(aCoupon().withId("SOLD").withTotal(1).returningToStock());
    record(claim(sold, "alice", 1));
    database().coupons().change((CouponChange.Changed) sold.close(), OPERATOR, NOW);
    assertThat(returnedToSale(sold, "alice")).isEmpty();
  }

  @Test
  void a_sold_out_event_is_repeated_after_the_quantity_was_raised() {
    var coupon = defined(aCoupon().withTotal(1));
    record(claim(coupon, "alice", 1));
    var raised = aCoupon().withTotal(2).withRevision(2).build();
    database().coupons().change(CouponFixtures.changed(coupon, raised), OPERATOR, NOW);
    record(claim(coupon, "bob", 2));

    assertThat(published().stream().filter(CouponEvent.SoldOut.class::isInstance))
        .containsExactly(
            new CouponEvent.SoldOut(coupon.id(), 1, ACCEPTED_AT),
            new CouponEvent.SoldOut(coupon.id(), 2, ACCEPTED_AT));
  }

  @Test
  void events_of_a_user_coupon_are_published_in_the_order_of_its_steps() {
    var issued = issued(defined(aCoupon()), "alice", 1);
    var held = step(issued, issued.hold(ORDER, NOW.plusSeconds(60)));
    var used = step(held, held.confirm(NOW));
    var restored = (Issued) step(used, used.undo(NOW));
    var expired = step(restored, restored.expire());

    assertThat(published().stream().skip(1))
        .containsExactly(
            new CouponEvent.Held(subject(held), ORDER, NOW.plusSeconds(60), NOW),
            new CouponEvent.Used(subject(used), ORDER, NOW),
            new CouponEvent.Restored(subject(restored), ORDER.orderId(), NOW),
            new CouponEvent.Expired(subject(expired), NOW));
  }

  @Test
  void returned_and_revoked_events_have_the_reason_and_whether_the_slot_was_returned() {
    var coupon = defined(aCoupon());
    var first = issued(coupon, "alice", 1);
    var second = issued(coupon, "bob", 2);
    assertThat(published()).hasSize(2);
    var returned = step(first, first.giveBack(NOW, true));
    var revoked = step(second, second.revoke(HOSTILE_REASON, NOW, false));

    assertThat(published())
        .containsExactly(
            new CouponEvent.Returned(subject(returned), true, NOW),
            new CouponEvent.Revoked(subject(revoked), HOSTILE_REASON, false, NOW));
  }

  @Test
  void a_step_that_is_overtaken_adds_no_event() {
    var coupon = defined(aCoupon());
    var first = issued(coupon, "alice", 1);
    var second = issued(coupon, "bob", 2);
    var used = step(first, first.use(ORDER, NOW));
    database()
        .userCoupons()
        .change(
            List.of(
                new UserCouponChange(first, first.expire(), Actor.TIME, NOW),
                new UserCouponChange(second, second.expire(), Actor.TIME, NOW)));

    assertThat(published().stream().skip(2))
        .containsExactly(
            new CouponEvent.Used(subject(used), ORDER, NOW),
            new CouponEvent.Expired(subject(row(coupon, "bob")), NOW));
  }

  @Test
  void a_call_publishes_each_user_coupon_once_and_no_more_events_than_requested() {
    var calls = new Calls();
    var coupon = defined(aCoupon());
    var first = issued(coupon, "alice", 1);
    issued(coupon, "bob", 2);
    var used = step(first, first.use(ORDER, NOW));
    step(used, used.undo(NOW));
    issued(coupon, "carol", 3);

    while (outbox().publishNext(3, calls) > 0) {
      assertThat(calls.batches.getLast()).isNotEmpty();
    }

    assertThat(calls.batches).extracting(List::size).containsExactly(2, 1, 2);
    assertThat(outbox().publishNext(1, calls)).isZero();
    issued(coupon, "dave", 4);
    issued(coupon, "erin", 5);
    assertThat(outbox().publishNext(1, calls)).isEqualTo(1);
  }

  @Test
  void events_recorded_together_are_all_published_for_any_requested_number() {
    var publisher = new Calls();
    var coupon = defined(aCoupon());
    record(claim(coupon, "ann", 1), claim(coupon, "bob", 2), claim(coupon, "cid", 3));
    record(claim(coupon, "dan", 4), claim(coupon, "eve", 5), claim(coupon, "fay", 6));
    while (outbox().publishNext(4, publisher) > 0) {
      assertThat(publisher.batches.getLast()).hasSizeBetween(1, 4);
    }
    assertThat(publisher.all()).hasSize(6).doesNotHaveDuplicates();

    record(claim(coupon, "gus", 7), claim(coupon, "hal", 8), claim(coupon, "ida", 9));
    int published = outbox().publishNext(1, publisher);
    while (published < 3) {
      assertThat(outbox().publishNext(1, publisher)).isEqualTo(1);
      published++;
    }
    assertThat(publisher.all()).hasSize(9).doesNotHaveDuplicates();
    assertThat(outbox().publishNext(1, publisher)).isZero();
  }

  @Test
  void an_event_that_is_not_published_is_not_deleted() {
    issued(defined(aCoupon()), "alice", 1);
    var failure = new BrokerUnavailableException("not reachable", null);

    assertThatExceptionOfType(BrokerUnavailableException.class)
        .isThrownBy(() ->
            outbox()
                .publishNext(
                    PAGE,
                    events -> {
                      throw failure;
                    }))
        .isSameAs(failure);

    assertThat(published()).hasSize(1);
    assertThat(published()).isEmpty();
  }

  @Test
  void a_second_publisher_publishes_nothing_while_the_first_one_publishes() {
    var calls = new Calls();
    var coupon = defined(aCoupon());
    issued(coupon, "alice", 1);

    int publishedEvents =
        outbox()
            .publishNext(
                PAGE,
                events -> {
                  record(CouponFixtures.acceptedClaim(coupon, "bob", 2, EPOCH));
                  assertThat(outbox().publishNext(PAGE, calls)).isZero();
                });

    assertThat(publishedEvents).isEqualTo(1);
    assertThat(calls.batches).isEmpty();
    assertThat(published()).hasSize(1);
  }
}
