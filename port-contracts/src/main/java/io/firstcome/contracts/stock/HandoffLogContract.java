package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.FIRST;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.opened;
import static io.firstcome.contracts.stock.StockScenario.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.port.HandoffLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link HandoffLog} does. */
public abstract class HandoffLogContract {

  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration LONG_AGO = Duration.ofHours(1);

  private final Coupon coupon = aCoupon().withTotal(100).build();
  private HandoffStockUnderTest backend;
  private HandoffLog log;

  /** An empty backend with a log that these tests do not fill. */
  protected abstract HandoffStockUnderTest emptyBackend();

  @BeforeEach
  void start() {
    backend = emptyBackend();
    log = backend.log();
  }

  @Test
  void before_a_partition_was_opened_its_log_is_empty() {
    assertThat(log.readNew(10, AT_ONCE)).isEmpty();
    assertThat(log.readStale(Duration.ZERO, 10)).isEmpty();
    assertThat(log.peek(coupon.partition(), null, 10)).isEmpty();
    assertThat(log.depth(coupon.partition()).entries()).isZero();
    assertThat(log.cap()).isPositive();
  }

  @Test
  void one_call_adds_one_entry_with_its_accepted_claims_in_order() {
    var before = Instant.now().minusSeconds(5);
    var address = opened(backend, coupon, FIRST);
    claim(backend.stock(), address, "ann", "bob");
    claim(backend.stock(), address, "bob", "cy");

    var entries = log.readNew(10, AT_ONCE);

    assertThat(entries).extracting(HandoffEntry::couponId).containsOnly(coupon.id());
    assertThat(entries)
        .extracting(HandoffEntry::claims)
        .containsExactly(
            List.of(slotClaim("ann", 1), slotClaim("bob", 2)), List.of(slotClaim("cy", 3)));
    assertThat(entries)
        .allSatisfy(entry -> {
          assertThat(entry.reference().epoch()).isEqualTo(FIRST);
          assertThat(entry.reference().partition()).isEqualTo(coupon.partition());
          assertThat(entry.acceptedAt()).isBetween(before, Instant.now().plusSeconds(5));
        });
  }

  @Test
  void a_call_without_accepted_claims_adds_no_entry() {
    var address = opened(backend, aCoupon().withTotal(1).build(), FIRST);
    claim(backend.stock(), address, "ann");
    claim(backend.stock(), address, "ann", "bob");

    assertThat(log.peek(coupon.partition(), null, 10)).hasSize(1);
  }

  @Test
  void an_entry_is_read_as_new_once_and_stays_in_the_log() {
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann");
    assertThat(log.readNew(10, AT_ONCE)).hasSize(1);

    assertThat(log.readNew(10, AT_ONCE)).isEmpty();
    assertThat(log.peek(coupon.partition(), null, 10)).hasSize(1);
    assertThat(log.depth(coupon.partition()).entries()).isEqualTo(1);
    assertThat(log.depth(coupon.partition()).oldest())
        .isNotNull()
        .isBeforeOrEqualTo(log.depth(coupon.partition()).asOf());
  }

  @Test
  void new_entries_of_all_partitions_are_read() {
    var elsewhere = aCoupon().withId("ELSEWHERE").inPartition(new Partition(1)).build();
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann");
    claim(backend.stock(), opened(backend, elsewhere, FIRST), "bob");

    assertThat(log.readNew(10, AT_ONCE))
        .extracting(entry -> entry.reference().partition())
        .containsExactlyInAnyOrder(coupon.partition(), elsewhere.partition());
  }

  @Test
  void at_most_the_requested_number_of_entries_is_read_oldest_first() {
    var address = opened(backend, coupon, FIRST);
    List.of("ann", "bob", "cy").forEach(user -> claim(backend.stock(), address, user));

    assertThat(log.readNew(2, AT_ONCE)).hasSize(2).first().satisfies(this::isAnns);
    assertThat(log.readNew(2, AT_ONCE)).hasSize(1);
    assertThat(log.readStale(Duration.ZERO, 2)).hasSize(2).first().satisfies(this::isAnns);
  }

  @Test
  void stale_entries_are_read_again_and_recent_or_unread_entries_are_not() {
    var address = opened(backend, coupon, FIRST);
    claim(backend.stock(), address, "ann");

    assertThat(log.readStale(Duration.ZERO, 10)).isEmpty();
    log.readNew(10, AT_ONCE);
    assertThat(log.readStale(LONG_AGO, 10)).isEmpty();
    assertThat(log.readStale(Duration.ZERO, 10)).hasSize(1).first().satisfies(this::isAnns);
    assertThat(log.readStale(Duration.ZERO, 10)).hasSize(1);
  }

  @Test
  void recorded_entries_are_removed_permanently() {
    var address = opened(backend, coupon, FIRST);
    claim(backend.stock(), address, "ann");
    claim(backend.stock(), address, "bob");
    var entries = log.readNew(10, AT_ONCE);

    log.recorded(List.of(entries.getFirst().reference()));
    log.recorded(List.of(entries.getFirst().reference()));

    assertThat(log.peek(coupon.partition(), null, 10)).containsExactly(entries.getLast());
    assertThat(log.readStale(Duration.ZERO, 10)).containsExactly(entries.getLast());
    assertThat(log.depth(coupon.partition()).entries()).isEqualTo(1);
  }

  @Test
  void an_entry_of_another_epoch_with_the_same_id_is_not_removed() {
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann");
    var reference = log.readNew(10, AT_ONCE).getFirst().reference();

    log.recorded(
        List.of(
            new EntryReference(
                reference.partition(), reference.entryId(), reference.epoch().next())));

    assertThat(log.peek(coupon.partition(), null, 10)).hasSize(1);
  }

  @Test
  void peeking_reads_in_pages_and_does_not_consume_entries() {
    var address = opened(backend, coupon, FIRST);
    List.of("ann", "bob", "cy").forEach(user -> claim(backend.stock(), address, user));

    var first = log.peek(coupon.partition(), null, 2);
    var second = log.peek(coupon.partition(), first.getLast().reference().entryId(), 2);

    assertThat(first).hasSize(2).first().satisfies(this::isAnns);
    assertThat(second).hasSize(1);
    assertThat(log.readNew(10, AT_ONCE)).hasSize(3);
  }

  @Test
  void the_log_survives_a_restart_and_a_recovery() {
    claim(backend.stock(), opened(backend, coupon, FIRST), "ann");
    backend.restart();
    var second = FIRST.next();
    backend.recovery().begin(coupon.partition(), second);

    assertThat(log.peek(coupon.partition(), null, 10))
        .hasSize(1)
        .first()
        .satisfies(this::isAnns)
        .satisfies(entry -> assertThat(entry.reference().epoch()).isEqualTo(FIRST));
    assertThat(log.readNew(10, AT_ONCE)).hasSize(1);
  }

  private void isAnns(HandoffEntry entry) {
    assertThat(entry.claims()).containsExactly(slotClaim("ann", 1));
  }

  private static SlotClaim slotClaim(String user, int slot) {
    return new SlotClaim(user(user), new Slot(slot));
  }
}
