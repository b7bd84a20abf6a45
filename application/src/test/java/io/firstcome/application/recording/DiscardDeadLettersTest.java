package io.firstcome.application.recording;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.recording.DiscardDeadLetters.Result;
import io.firstcome.domain.audit.AuditEntry.Action;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ClaimMessageReader.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which dead letters operators can delete. */
class DiscardDeadLettersTest {

  private final Coupon coupon = aCoupon().build();
  private final InMemoryService service = InMemoryService.with(coupon);

  /** The result of reading any message. */
  private Reading reading = new Reading.Unreadable("forged");

  private final DiscardDeadLetters discard =
      new DiscardDeadLetters(
          service.database.deadLetters(),
          _ -> reading,
          service.database.coupons(),
          service.database.audit(),
          service.clock);

  private static HandoffEntry entryOf(CouponId couponId) {
    return new HandoffEntry(
        new EntryReference(InMemoryService.PARTITION, "1-1", new Epoch(1)),
        couponId,
        ACCEPTED_AT,
        List.of(new SlotClaim(new UserId("ann"), new Slot(1))));
  }

  private DeadLetterId onlyLetter() {
    assertThat(service.deadLetters()).hasSize(1);
    return service.deadLetters().getFirst().id();
  }

  @Test
  void a_message_that_cannot_be_read_is_discarded() throws InterruptedException {
    service.keepDeadLetters.keepUnreadable(new byte[] {1}, "forged");

    assertThat(discard.discard(onlyLetter(), OPERATOR)).isEqualTo(Result.DISCARDED);

    assertThat(service.deadLetters()).isEmpty();
  }

  @Test
  void claims_of_a_coupon_that_does_not_exist_are_discarded_with_an_audit_entry()
      throws InterruptedException {
    var unknown = new CouponId("UNKNOWN");
    service.keepDeadLetters.keepUndelivered(List.of(entryOf(unknown)));
    var id = onlyLetter();

    assertThat(discard.discard(id, OPERATOR)).isEqualTo(Result.DISCARDED);

    assertThat(service.deadLetters()).isEmpty();
    assertThat(service.database.audit().ofCoupon(unknown, null, 10))
        .singleElement()
        .satisfies(kept -> {
          assertThat(kept.entry().action()).isEqualTo(Action.DISCARD_DEAD_LETTER);
          assertThat(kept.entry().actor()).isEqualTo(OPERATOR);
          assertThat(kept.entry().detail()).isEqualTo("dead letter " + id);
        });
  }

  @Test
  void claims_of_a_coupon_that_exists_are_kept() throws InterruptedException {
    service.keepDeadLetters.keepUndelivered(List.of(entryOf(coupon.id())));

    assertThat(discard.discard(onlyLetter(), OPERATOR)).isEqualTo(Result.HAS_CLAIMS);

    assertThat(service.deadLetters()).hasSize(1);
  }

  @Test
  void a_message_that_can_be_read_meanwhile_is_kept() throws InterruptedException {
    service.keepDeadLetters.keepUnreadable(new byte[] {1}, "of a key that is missing");
    reading = new Reading.Decoded(entryOf(coupon.id()));

    assertThat(discard.discard(onlyLetter(), OPERATOR)).isEqualTo(Result.HAS_CLAIMS);

    assertThat(service.deadLetters()).hasSize(1);
  }

  @Test
  void a_letter_that_is_gone_is_unknown() {
    assertThat(discard.discard(new DeadLetterId(1), OPERATOR)).isEqualTo(Result.UNKNOWN_LETTER);
  }
}
