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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every {@link CouponStock} does with claims. */
public abstract class CouponStockContract extends StockContract {

  @Test
  void slots_are_given_in_the_order_of_the_list_until_none_is_left() {
    var coupon = opened(backend, aCoupon().withTotal(3).build(), FIRST);

    assertThat(claim(stock, coupon, "ann", "bob", "cy", "dee"))
        .containsExactly(accepted(1), accepted(2), accepted(3), new ClaimOutcome.SoldOut());
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(3, 0, 4));
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
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(5, 3, 3));
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
  void with_a_full_log_new_users_are_busy_and_known_ones_are_answered() {
    var coupon = opened(backend, aCoupon().withTotal(100).build(), FIRST);
    users(1, LOG_CAP).forEach(user -> claim(stock, coupon, user));

    assertThat(claim(stock, coupon, "user-1", "ann", "bob"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.Busy(), new ClaimOutcome.Busy());
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(100, 100 - LOG_CAP, LOG_CAP + 1));
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
      assertFenced(() -> claimWithin(other, Duration.ofMillis(-1)));
      assertFenced(() -> stock.find(other, user("ann")));
      assertFenced(() -> stock.level(other));
      assertFenced(() -> stock.ledger(other, null));
      assertFenced(() -> stock.adopt(other, List.of(late(coupon, "ann", 1))));
      assertFenced(() -> stock.create(other, StockTerms.of(coupon)));
      assertFenced(() -> stock.apply(other, StockTerms.of(coupon)));
      assertFenced(() -> stock.release(other, user("ann"), new Slot(1), 1));
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
    assertFenced(() -> stock.apply(address, StockTerms.of(coupon)));
    assertFenced(() -> stock.release(address, user("ann"), new Slot(1), 1));
  }

  @Test
  void an_emptied_server_is_fenced_and_never_starts_at_zero() {
    var coupon = aCoupon().build();
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "ann");
    backend.wipe();

    assertFenced(() -> claimWithin(address, StockScenario.SOON));
    assertFenced(() -> stock.create(address, StockTerms.of(coupon)));
    assertFenced(() -> stock.apply(address, StockTerms.of(coupon)));
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
}
