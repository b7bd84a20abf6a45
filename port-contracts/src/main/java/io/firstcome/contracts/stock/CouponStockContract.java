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

import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.port.CouponStock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link CouponStock} does with claims. */
public abstract class CouponStockContract extends StockClaimsContract<HandoffStockUnderTest> {

  @Test
  void with_a_full_log_new_users_are_refused_as_busy_and_known_users_are_answered() {
    var coupon = opened(backend, aCoupon().withTotal(100).build(), FIRST);
    users(1, LOG_CAP).forEach(user -> claim(stock, coupon, user));

    assertThat(claim(stock, coupon, "user-1", "ann", "bob"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.Busy(), new ClaimOutcome.Busy());
    assertThat(stock.level(coupon)).isEqualTo(new StockLevel(100, 100 - LOG_CAP, LOG_CAP + 1));
  }

  @Test
  void sold_out_is_answered_only_if_no_slot_is_free() {
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
      assertFenced(() -> stock.create(other, null, StockTerms.of(coupon)));
      assertFenced(() -> stock.apply(other, StockTerms.of(coupon)));
      assertFenced(() -> stock.release(other, user("ann"), new Slot(1), 1));
    }
  }

  @Test
  void after_a_restart_without_data_loss_every_call_is_fenced() {
    var coupon = aCoupon().build();
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "ann");
    backend.restart();

    assertFenced(() -> claimWithin(address, StockScenario.SOON));
    assertFenced(() -> stock.find(address, user("ann")));
    assertFenced(() -> stock.create(address, null, StockTerms.of(coupon)));
    assertFenced(() -> stock.apply(address, StockTerms.of(coupon)));
    assertFenced(() -> stock.release(address, user("ann"), new Slot(1), 1));
  }

  @Test
  void an_emptied_server_is_fenced_and_does_not_start_again_with_the_first_slot() {
    var coupon = aCoupon().build();
    var address = opened(backend, coupon, FIRST);
    claim(stock, address, "ann");
    backend.wipe();

    assertFenced(() -> claimWithin(address, StockScenario.SOON));
    assertFenced(() -> stock.create(address, null, StockTerms.of(coupon)));
    assertFenced(() -> stock.apply(address, StockTerms.of(coupon)));
  }
}
