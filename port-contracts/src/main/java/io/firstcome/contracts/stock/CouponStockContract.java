package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.FIRST;
import static io.firstcome.contracts.stock.StockScenario.accepted;
import static io.firstcome.contracts.stock.StockScenario.address;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.opened;
import static io.firstcome.contracts.stock.StockScenario.user;
import static io.firstcome.contracts.stock.StockScenario.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LateClaim;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Partition;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.StockUnavailableException.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link CouponStock} does. */
public abstract class CouponStockContract {

  /** Entries that the log of the backend under test takes before it is full. */
  protected static final int LOG_CAP = 5;

  private StockBackend backend;
  private CouponStock stock;

  /** An empty backend whose log is full at {@link #LOG_CAP} entries. */
  protected abstract StockBackend emptyBackend();

  @BeforeEach
  void start() {
    backend = emptyBackend();
    stock = backend.stock();
  }

  @Test
  void slots_are_given_in_the_order_of_the_list_until_none_is_left() {
    var coupon = opened(backend, aCoupon().withTotal(3).build(), FIRST);

    assertThat(claim(stock, coupon, "ann", "bob", "cy", "dee"))
        .containsExactly(accepted(1), accepted(2), accepted(3), new ClaimOutcome.SoldOut());
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(3, 0));
  }

  @Test
  void second_claim_of_the_same_user_returns_the_first_slot() {
    var coupon = opened(backend, aCoupon().withTotal(2).build(), FIRST);
    claim(stock, coupon, "ann", "bob");

    assertThat(claim(stock, coupon, "bob", "cy", "ann"))
        .containsExactly(alreadyIssued(2), new ClaimOutcome.SoldOut(), alreadyIssued(1));
  }

  @Test
  void the_same_user_twice_in_one_call_gets_one_slot() {
    var coupon = opened(backend, aCoupon().withTotal(5).build(), FIRST);

    assertThat(claim(stock, coupon, "ann", "ann", "bob", "ann"))
        .containsExactly(accepted(1), alreadyIssued(1), accepted(2), alreadyIssued(1));
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(5, 3));
  }

  @Test
  void calls_made_one_after_the_other_without_waiting_take_effect_in_that_order() {
    var coupon = opened(backend, aCoupon().withTotal(1_000).build(), FIRST);
    var answers = new ArrayList<CompletionStage<List<ClaimOutcome>>>();
    for (int i = 0; i < stock.maxCallsInFlight(); i++) {
      var claims =
          users(i * 100 + 1, i * 100 + 100).stream().map(u -> new Claim(new UserId(u))).toList();
      answers.add(stock.claim(coupon, claims, StockScenario.SOON));
    }
    int slot = 0;
    for (var answer : answers) {
      for (var outcome : answer.toCompletableFuture().join()) {
        assertThat(outcome).isEqualTo(accepted(++slot));
      }
    }
    assertThat(slot).isEqualTo(stock.maxCallsInFlight() * 100);
  }

  @Test
  void a_full_call_is_taken_whole() {
    int max = stock.maxClaimsPerCall();
    var coupon = opened(backend, aCoupon().withTotal(max).build(), FIRST);

    var outcomes = claim(stock, coupon, users(1, max));

    assertThat(outcomes).hasSize(max).doesNotHaveDuplicates().contains(accepted(1), accepted(max));
  }

  @Test
  void before_the_window_the_opening_is_told() {
    var opensAt = Instant.parse("2099-01-01T00:00:00.250Z");
    var coupon =
        opened(backend, aCoupon().opening(opensAt, opensAt.plusSeconds(60)).build(), FIRST);

    assertThat(claim(stock, coupon, "ann")).containsExactly(new ClaimOutcome.NotOpen(opensAt));
  }

  @Test
  void after_the_window_and_when_closed_the_coupon_is_closed() {
    var past = Instant.parse("2020-01-01T00:00:00Z");
    var over =
        opened(backend, aCoupon().withId("OVER").opening(past, past.plusSeconds(1)).build(), FIRST);
    var closed = aCoupon().withId("CLOSED").closed().build();
    stock.create(address(closed, FIRST), StockTerms.of(closed));

    assertThat(claim(stock, over, "ann")).containsExactly(new ClaimOutcome.Closed());
    assertThat(claim(stock, address(closed, FIRST), "ann"))
        .containsExactly(new ClaimOutcome.Closed());
  }

  @Test
  void a_paused_coupon_says_so() {
    var coupon = opened(backend, aCoupon().paused().build(), FIRST);

    assertThat(claim(stock, coupon, "ann")).containsExactly(new ClaimOutcome.Paused());
  }

  @Test
  void who_holds_a_slot_hears_so_whatever_the_window_or_the_stock() {
    var coupon = aCoupon().withTotal(1).build();
    opened(backend, coupon, FIRST);
    claim(stock, address(coupon, FIRST), "ann");
    var second = recoveredAs(aCoupon().withTotal(1).closed().build(), 2, new HashMap<>());

    assertThat(claim(stock, second, "ann", "bob"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.Closed());
  }

  @Test
  void returned_and_rejected_users_hear_so() {
    Map<UserId, LedgerMark> marks = new HashMap<>();
    marks.put(user("ann"), new LedgerMark.GaveBack(new Slot(7)));
    marks.put(user("bob"), new LedgerMark.WasRejected());
    var coupon = recoveredAs(aCoupon().build(), 1, marks);

    assertThat(claim(stock, coupon, "ann", "bob"))
        .containsExactly(new ClaimOutcome.Returned(), new ClaimOutcome.Rejected());
    assertThat(stock.find(coupon, List.of(user("ann"), user("bob"), user("cy")))).isEqualTo(marks);
  }

  @Test
  void returned_slots_are_given_first_and_lowest_first() {
    var coupon = aCoupon().withTotal(10).build();
    var address = recoveredAs(coupon, 8, new HashMap<>(), 6, 2);

    assertThat(claim(stock, address, "ann", "bob", "cy"))
        .containsExactly(accepted(2), accepted(6), accepted(8));
    assertThat(stock.level(address)).isEqualTo(new StockLevel(10, 2));
  }

  @Test
  void with_a_full_log_new_users_are_busy_and_known_ones_are_answered() {
    var coupon = opened(backend, aCoupon().withTotal(100).build(), FIRST);
    users(1, LOG_CAP).forEach(user -> claim(stock, coupon, user));

    assertThat(claim(stock, coupon, "user-1", "ann", "bob"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.Busy(), new ClaimOutcome.Busy());
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(100, 100 - LOG_CAP));
  }

  @Test
  void nobody_hears_sold_out_while_a_slot_is_free_and_everybody_once_none_is() {
    var coupon = opened(backend, aCoupon().withTotal(LOG_CAP + 1).build(), FIRST);
    users(1, LOG_CAP).forEach(user -> claim(stock, coupon, user));

    assertThat(claim(stock, coupon, "ann", "bob", "cy")).containsOnly(new ClaimOutcome.Busy());

    backend
        .log()
        .recorded(List.of(backend.log().peek(partition(), null, 1).getFirst().reference()));
    assertThat(claim(stock, coupon, "ann", "bob"))
        .containsExactly(accepted(LOG_CAP + 1), new ClaimOutcome.SoldOut());
    assertThat(claim(stock, coupon, "cy")).containsExactly(new ClaimOutcome.SoldOut());
  }

  @Test
  void a_call_whose_time_is_over_has_no_effect() {
    var coupon = opened(backend, aCoupon().build(), FIRST);

    assertThatThrownBy(() -> claimWithin(coupon, Duration.ofMillis(-1)))
        .isInstanceOfSatisfying(
            StockUnavailableException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
    assertThat(stock.find(coupon, user("ann"))).isEmpty();
  }

  @Test
  void a_call_of_another_epoch_is_fenced() {
    var coupon = aCoupon().build();
    opened(backend, coupon, new Epoch(3));

    for (long epoch : new long[] {2, 4}) {
      var other = address(coupon, new Epoch(epoch));
      assertFenced(() -> claimWithin(other, StockScenario.SOON));
      assertFenced(() -> stock.find(other, user("ann")));
      assertFenced(() -> stock.level(other));
      assertFenced(() -> stock.ledger(other, null));
      assertFenced(() -> stock.adopt(other, List.of(late(coupon, "ann", 1))));
      assertFenced(() -> stock.create(other, StockTerms.of(coupon)));
    }
  }

  @Test
  void after_a_restart_everything_is_fenced_though_nothing_is_lost() {
    var coupon = aCoupon().build();
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "ann");
    backend.restart();

    assertFenced(() -> claimWithin(address, StockScenario.SOON));
    assertFenced(() -> stock.find(address, user("ann")));
    assertFenced(() -> stock.create(address, StockTerms.of(coupon)));
  }

  @Test
  void an_emptied_server_is_fenced_and_never_starts_at_zero() {
    var coupon = aCoupon().build();
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "ann");
    backend.wipe();

    assertFenced(() -> claimWithin(address, StockScenario.SOON));
    assertFenced(() -> stock.create(address, StockTerms.of(coupon)));
  }

  @Test
  void a_coupon_without_stock_is_fenced() {
    opened(backend, aCoupon().withId("THERE").build(), FIRST);
    var absent = address(aCoupon().withId("ABSENT").build(), FIRST);

    assertFenced(() -> claimWithin(absent, StockScenario.SOON));
    assertFenced(() -> stock.level(absent));
  }

  @Test
  void creating_again_changes_nothing() {
    var coupon = aCoupon().withTotal(2).build();
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "ann");

    stock.create(address, StockTerms.of(coupon));

    assertThat(claim(stock, address, "ann", "bob")).containsExactly(alreadyIssued(1), accepted(2));
  }

  @Test
  void the_ledger_is_read_whole_page_by_page() {
    var coupon = opened(backend, aCoupon().withTotal(1_200).build(), FIRST);
    for (int i = 0; i < 3; i++) {
      claim(stock, coupon, users(i * 400 + 1, i * 400 + 400));
    }
    Map<UserId, LedgerMark> all = new HashMap<>();
    @Nullable String cursor = null;
    int pages = 0;
    do {
      var page = stock.ledger(coupon, cursor);
      all.putAll(page.marks());
      cursor = page.next();
      pages++;
    } while (cursor != null);

    assertThat(all).hasSize(1_200).containsEntry(user("user-7"), new LedgerMark.Holds(new Slot(7)));
    assertThat(pages).isGreaterThan(1);
  }

  @Test
  void a_late_claim_gets_the_slot_it_holds_or_was_promised_or_the_lowest_free_or_none() {
    Map<UserId, LedgerMark> marks = new HashMap<>();
    marks.put(user("ann"), new LedgerMark.Holds(new Slot(1)));
    marks.put(user("gone"), new LedgerMark.GaveBack(new Slot(2)));
    var coupon = aCoupon().withTotal(5).closed().build();
    var address = recoveredAs(coupon, 5, marks, 2, 3, 4);

    assertThat(
            stock.adopt(
                address,
                List.of(
                    late(coupon, "ann", 3),
                    late(coupon, "bob", 3),
                    late(coupon, "cy", 3),
                    late(coupon, "gone", 4),
                    late(coupon, "dee", 5),
                    late(coupon, "eve", 5),
                    late(coupon, "fay", 5))))
        .containsExactly(
            adopted(1),
            adopted(3),
            adopted(2),
            new AdoptOutcome.GoneBack(),
            adopted(5),
            adopted(4),
            new AdoptOutcome.Rejected());
    assertThat(stock.find(address, user("fay"))).contains(new LedgerMark.WasRejected());
    assertThat(backend.log().peek(partition(), null, 10)).isEmpty();
    assertThat(stock.adopt(address, List.of(late(coupon, "bob", 1), late(coupon, "fay", 1))))
        .containsExactly(adopted(3), new AdoptOutcome.Rejected());
  }

  private static AdoptOutcome adopted(int slot) {
    return new AdoptOutcome.Adopted(new Slot(slot));
  }

  private static LateClaim late(Coupon coupon, String user, int promised) {
    return new LateClaim(
        coupon.id(),
        new UserId(user),
        new Slot(promised),
        coupon.partition(),
        CouponFixtures.ACCEPTED_AT);
  }

  /** The coupon as a recovery into the next epoch leaves it. */
  private StockAddress recoveredAs(
      Coupon coupon, int next, Map<UserId, LedgerMark> marks, int... free) {
    var recovery = backend.recovery();
    var epoch = recovery.fence(coupon.partition()).epoch().next();
    var address = address(coupon, epoch);
    recovery.begin(coupon.partition(), epoch);
    if (!marks.isEmpty()) {
      recovery.putMarks(address, marks);
    }
    recovery.clearFree(address);
    if (free.length > 0) {
      recovery.addFree(address, Arrays.stream(free).mapToObj(Slot::new).toList());
    }
    recovery.ready(address, StockTerms.of(coupon), next);
    recovery.open(coupon.partition(), epoch);
    return address;
  }

  private static Partition partition() {
    return aCoupon().build().partition();
  }

  private void claimWithin(StockAddress address, Duration within) {
    try {
      stock.claim(address, List.of(new Claim(user("ann"))), within).toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StockUnavailableException unavailable) {
        throw unavailable;
      }
      throw e;
    }
  }

  private static void assertFenced(ThrowingCallable call) {
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(call);
  }
}
