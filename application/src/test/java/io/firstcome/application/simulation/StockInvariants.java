package io.firstcome.application.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The invariants that compare the rows of a coupon with its stock. */
final class StockInvariants {

  private final SimulatedServers servers;
  private final AnswerRecord record;

  StockInvariants(SimulatedServers servers, AnswerRecord record) {
    this.servers = servers;
    this.record = record;
  }

  /**
   * @param rows by their user ids, or pseudonyms of erased users
   */
  void holdAtRest(Coupon coupon, Map<UserId, UserCoupon> rows) {
    rowsAndStockAgree(coupon, rows);
    returnedMarksHaveReturnedRows(coupon, rows);
  }

  /** I2 and I8: rows, ledger and free slots agree. */
  private void rowsAndStockAgree(Coupon coupon, Map<UserId, UserCoupon> rows) {
    Map<UserId, LedgerMark> live = new HashMap<>();
    Map<UserId, LedgerMark> wentBack = new HashMap<>();
    rows.forEach((user, row) -> {
      if (row.slotWentBack()) {
        wentBack.put(user, new LedgerMark.GaveBack(row.slot()));
      } else {
        live.put(user, new LedgerMark.Holds(row.slot()));
      }
    });
    assertThat(Set.copyOf(live.values())).as("I2 slots distinct").hasSameSizeAs(live.values());
    assertThat(servers.database.ports().holders(coupon.id()))
        .as("I2 users by slot")
        .extracting(SlotClaim::userId)
        .containsExactlyInAnyOrderElementsOf(live.keySet());
    if (isArchived(coupon)) {
      isGoneFromTheStock(coupon);
      return;
    }
    assertThat(marksOf(coupon, LedgerMark.Holds.class))
        .as("I8 ledger and rows of %s", coupon.id())
        .isEqualTo(live);
    assertThat(marksOf(coupon, LedgerMark.GaveBack.class))
        .as("I8 ledger and returned rows of %s", coupon.id())
        .containsAllEntriesOf(wentBack);
    assertThat(servers.stock.stock().level(address(coupon)).free())
        .as("I8 free slots of %s", coupon.id())
        .isEqualTo(coupon.definition().totalQuantity() - live.size());
  }

  private StockAddress address(Coupon coupon) {
    return new StockAddress(
        coupon.id(), coupon.partition(), servers.database.epochs().current(coupon.partition()));
  }

  private boolean isArchived(Coupon coupon) {
    return servers.statusOf(coupon) == CouponStatus.ARCHIVED;
  }

  private void isGoneFromTheStock(Coupon coupon) {
    assertThat(servers.stock.marks(coupon.partition(), coupon.id()))
        .as("marks of %s, which is archived", coupon.id())
        .isEmpty();
    assertThatExceptionOfType(StockFencedException.class)
        .as("stock of %s, which is archived", coupon.id())
        .isThrownBy(() -> servers.stock.stock().level(address(coupon)));
  }

  /** After a restore of the database, a return may be in the ledger without a row. */
  private void returnedMarksHaveReturnedRows(Coupon coupon, Map<UserId, UserCoupon> rows) {
    for (var user : marksOf(coupon, LedgerMark.GaveBack.class).keySet()) {
      var row = rows.get(user);
      boolean known = row == null ? record.isDatabaseSetBackSince(0) : row.slotWentBack();
      assertThat(known).as("I8 %s is returned in the ledger, the row is %s", user, row).isTrue();
    }
  }

  Map<UserId, LedgerMark> marksOf(Coupon coupon, Class<? extends LedgerMark> kind) {
    var marks = new HashMap<>(servers.stock.marks(coupon.partition(), coupon.id()));
    marks.values().removeIf(mark -> !kind.isInstance(mark));
    return marks;
  }
}
