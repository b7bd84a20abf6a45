package io.firstcome.adapter.persistence.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.stock.StockReturnsContract;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@link JooqCouponStock} against the contract of slots that go back to the stock. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JooqStockReturnsIT extends StockReturnsContract<RowStock> {

  private final TestDatabase database = new TestDatabase(JooqStockReturnsIT.class);

  @Override
  protected RowStock emptyBackend() {
    return new RowStock(database);
  }

  /** Another stock is noted as released by {@code SlotReturns}, which adds the event. */
  @Test
  void a_slot_of_a_sold_out_coupon_that_is_released_adds_one_event() {
    var rows = emptyBackend();
    var coupon = rows.define(aCoupon().withTotal(1).returningToStock().build());
    var ann = new UserId("ann");
    rows.stock()
        .claim(coupon, null, List.of(CouponFixtures.claimOf(ann)), Duration.ofSeconds(10))
        .toCompletableFuture()
        .join();

    rows.giveBack(coupon, ann, new Slot(1), 1);
    rows.giveBack(coupon, ann, new Slot(1), 1);

    var published = new ArrayList<CouponEvent>();
    while (rows.ports().events().publishNext(100, published::addAll) > 0) {}
    assertThat(published.stream().filter(CouponEvent.ReturnedToSale.class::isInstance))
        .extracting(CouponEvent::id)
        .containsExactly(coupon.couponId() + "/slot-1/1");
  }

  @AfterAll
  void close() {
    database.close();
  }
}
