package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How every stock applies a coupon's window, status and quantity. */
public abstract class StockWindowContract<B extends StockUnderTest> extends StockContract<B> {

  @Test
  void before_the_window_the_answer_has_the_opening_time() {
    var opensAt = Instant.parse("2099-01-01T00:00:00.250Z");
    var coupon = define(aCoupon().opening(opensAt, opensAt.plusSeconds(60)));

    assertThat(claim(stock, coupon, "ann")).containsExactly(new ClaimOutcome.NotOpen(opensAt));
  }

  @Test
  void after_the_window_and_when_closed_claims_are_refused_as_closed() {
    var past = Instant.parse("2020-01-01T00:00:00Z");
    var over = define(aCoupon().withId("OVER").opening(past, past.plusSeconds(1)));
    var closed = aCoupon().withId("CLOSED").closed().build();
    var shut = backend.define(closed);

    assertThat(claim(stock, over, "ann")).containsExactly(new ClaimOutcome.Closed());
    assertThat(claim(stock, shut, "ann")).containsExactly(new ClaimOutcome.Closed());
  }

  @Test
  void claims_of_a_paused_coupon_are_refused_as_paused() {
    var coupon = define(aCoupon().paused());

    assertThat(claim(stock, coupon, "ann")).containsExactly(new ClaimOutcome.Paused());
  }

  @Test
  void newer_terms_pause_resume_and_close() {
    var address = define(aCoupon());
    claim(stock, address, "ann");

    backend.change(address, aCoupon().withRevision(2).paused().build());
    assertThat(claim(stock, address, "ann", "bob"))
        .containsExactly(alreadyIssued(1), new ClaimOutcome.Paused());
    backend.change(address, aCoupon().withRevision(3).build());
    assertThat(claim(stock, address, "bob")).containsExactly(won(2));
    backend.change(address, aCoupon().withRevision(5).closed().build());
    assertThat(claim(stock, address, "bob", "cy"))
        .containsExactly(alreadyIssued(2), new ClaimOutcome.Closed());
  }

  @Test
  void a_raised_coupon_has_the_added_slots_and_no_more() {
    var address = define(aCoupon().withTotal(2));
    claim(stock, address, "ann", "bob", "cy");

    var raised = aCoupon().withTotal(4).withRevision(2).build();
    backend.change(address, raised);

    assertThat(stock.terms(address)).isEqualTo(StockTerms.of(raised));
    assertThat(stock.apply(address, StockTerms.of(raised))).isEqualTo(StockTerms.of(raised));
    assertThat(stock.level(address)).isEqualTo(new StockLevel(4, 2, 3));
    assertThat(claim(stock, address, "cy", "dee", "eve"))
        .containsExactly(won(3), won(4), new ClaimOutcome.SoldOut());
  }
}
