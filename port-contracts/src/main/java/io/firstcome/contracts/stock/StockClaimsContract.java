package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.user;
import static io.firstcome.contracts.stock.StockScenario.users;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.UserId;
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

/** What every stock does with claims, whether it has a fence and a log or neither. */
public abstract class StockClaimsContract<B extends StockUnderTest> extends StockContract<B> {

  @Test
  void slots_are_allocated_in_the_order_of_the_list_until_none_is_free() {
    var coupon = define(aCoupon().withTotal(3));

    assertThat(claim(stock, coupon, "ann", "bob", "cy", "dee"))
        .containsExactly(won(1), won(2), won(3), new ClaimOutcome.SoldOut());
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(3, 0, 4));
  }

  @Test
  void a_second_claim_of_the_same_user_returns_the_first_slot() {
    var coupon = define(aCoupon().withTotal(2));
    claim(stock, coupon, "ann", "bob");

    assertThat(claim(stock, coupon, "bob", "cy", "ann"))
        .containsExactly(alreadyIssued(2), new ClaimOutcome.SoldOut(), alreadyIssued(1));
  }

  @Test
  void the_same_user_twice_in_one_call_gets_one_slot() {
    var coupon = define(aCoupon().withTotal(5));

    assertThat(claim(stock, coupon, "ann", "ann", "bob", "ann"))
        .containsExactly(won(1), alreadyIssued(1), won(2), alreadyIssued(1));
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(5, 3, 3));
  }

  @Test
  void calls_sent_without_waiting_take_effect_in_the_order_of_sending() {
    var coupon = define(aCoupon().withTotal(1_000));
    var answers = new ArrayList<CompletionStage<List<ClaimOutcome>>>();
    for (int i = 0; i < stock.maxCallsInFlight(); i++) {
      var claims =
          users(i * 100 + 1, i * 100 + 100).stream()
              .map(u -> CouponFixtures.claimOf(new UserId(u)))
              .toList();
      answers.add(stock.claim(coupon, null, claims, StockScenario.SOON));
    }
    int slot = 0;
    for (var answer : answers) {
      for (var outcome : answer.toCompletableFuture().join()) {
        assertThat(outcome).isEqualTo(won(++slot));
      }
    }
    assertThat(slot).isEqualTo(stock.maxCallsInFlight() * 100);
  }

  @Test
  void all_claims_of_a_call_of_maximum_size_are_accepted() {
    int max = stock.maxClaimsPerCall();
    var coupon = define(aCoupon().withTotal(max));

    var outcomes = claim(stock, coupon, users(1, max));

    assertThat(outcomes).hasSize(max).doesNotHaveDuplicates().contains(won(1), won(max));
  }

  @Test
  void a_call_after_its_deadline_has_no_effect() {
    var coupon = define(aCoupon());

    assertThatThrownBy(() -> claimWithin(coupon, Duration.ofMillis(-1)))
        .isInstanceOfSatisfying(
            StockUnavailableException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
    assertThat(stock.find(coupon, user("ann"))).isEmpty();
  }

  @Test
  void the_whole_ledger_is_read_in_pages() {
    var coupon = define(aCoupon().withTotal(2_500));
    for (int i = 0; i < 5; i++) {
      claim(stock, coupon, users(i * 500 + 1, i * 500 + 500));
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

    assertThat(all).hasSize(2_500).containsEntry(user("user-7"), new LedgerMark.Holds(new Slot(7)));
    assertThat(pages).isGreaterThan(1);
  }
}
