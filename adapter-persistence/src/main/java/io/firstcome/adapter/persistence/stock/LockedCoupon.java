package io.firstcome.adapter.persistence.stock;

import static io.firstcome.adapter.persistence.generated.Tables.CAMPAIGN;
import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static io.firstcome.adapter.persistence.session.SessionSettings.setLocal;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.session.SessionSettings;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.port.StockFencedException;
import java.time.Duration;
import java.time.Instant;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * A coupon whose stock is in PostgreSQL and whose row this transaction holds: no other transaction
 * allocates its slots or changes it until this one ends.
 */
record LockedCoupon(
    CouponId id,
    CouponStatus status,
    int total,
    IssuanceWindow window,
    Partition partition,
    int codeKeyVersion,
    boolean hasErasedUsers) {

  /**
   * Locks the coupon's row, and limits the remaining time of the transaction. Its statements and
   * the wait for the row time out slightly before the session, which the server ends if the
   * transaction exceeds its limit: a COMMIT that is delayed by the network then has nothing to
   * commit. Servers before PostgreSQL 17 have no limit of a transaction; there the limit of its
   * idle time ends the session.
   *
   * @throws StockFencedException if there is no such stock
   */
  static LockedCoupon lock(DSLContext transaction, CouponId couponId, Duration left) {
    return transaction
        .select(
            COUPON.STATUS,
            COUPON.TOTAL_QUANTITY,
            COUPON.OPENS_AT,
            COUPON.CLOSES_AT,
            COUPON.PARTITION_ID,
            COUPON.CODE_KEY_VERSION,
            COUPON.HAS_ERASED_USERS)
        .from(limits(left))
        .crossJoin(COUPON)
        .where(hasItsStockHere(couponId))
        .forNoKeyUpdate()
        .of(COUPON)
        .fetchOptional(row ->
            new LockedCoupon(
                couponId,
                CouponStatus.valueOf(row.value1()),
                row.value2(),
                new IssuanceWindow(row.value3(), row.value4()),
                new Partition(row.value5()),
                row.value6(),
                row.value7()))
        .orElseThrow(() -> noStock(couponId));
  }

  /**
   * Locks the row of a campaign, so that no other transaction allocates slots of its coupons, and
   * limits the remaining time of the transaction as {@link #lock} does. A transaction that locks
   * both locks the campaign first.
   */
  static void lockCampaign(DSLContext transaction, CampaignId campaignId, Duration left) {
    transaction
        .select(CAMPAIGN.CAMPAIGN_ID)
        .from(limits(left))
        .crossJoin(CAMPAIGN)
        .where(CAMPAIGN.CAMPAIGN_ID.eq(campaignId.value()))
        .forNoKeyUpdate()
        .of(CAMPAIGN)
        .fetch();
  }

  private static Table<?> limits(Duration left) {
    long sessionLimit = Math.max(1, left.toMillis());
    var ofStatement = Duration.ofMillis(Math.max(1, sessionLimit - sessionLimit / 10));
    return select(
            setLocal(SessionSettings.LOCK_WAIT, ofStatement).as("lock_limit"),
            setLocal(SessionSettings.STATEMENT, ofStatement).as("statement_limit"),
            setLocal(SessionSettings.IDLE_IN_TRANSACTION, Duration.ofMillis(sessionLimit))
                .as("idle_limit"),
            setTransactionLimit(0).as("no_transaction_limit"),
            setTransactionLimit(sessionLimit).as("transaction_limit"))
        .asTable("limits");
  }

  /**
   * Sets the transaction limit, if the server has one. The timer that the session's own limit has
   * started continues whatever value is set later; only 0 stops it, and the next value then starts
   * a new one.
   *
   * @see <a
   *     href="https://www.postgresql.org/docs/current/runtime-config-client.html#GUC-TRANSACTION-TIMEOUT">transaction_timeout</a>
   *     and {@code assign_transaction_timeout} in PostgreSQL's source
   */
  private static Field<String> setTransactionLimit(long millis) {
    return field(
        "case when current_setting('transaction_timeout', true) is not null then"
            + " set_config('transaction_timeout', {0}, true) end",
        SQLDataType.CLOB, val(Long.toString(millis)));
  }

  /** Drafts and archived coupons have no stock. */
  static Condition hasItsStockHere(CouponId couponId) {
    return COUPON
        .COUPON_ID
        .eq(couponId.value())
        .and(COUPON.STOCK_BACKEND.eq(inline(StockBackend.POSTGRES.name())))
        .and(
            COUPON.STATUS.notIn(
                inline(CouponStatus.DRAFT.name()), inline(CouponStatus.ARCHIVED.name())));
  }

  static StockFencedException noStock(CouponId couponId) {
    return new StockFencedException("the database has no stock of " + couponId);
  }

  /** The outcome for users without a slot, or null if slots can be allocated. */
  @Nullable ClaimOutcome refusal(Instant now) {
    if (status == CouponStatus.CLOSED || !now.isBefore(window.closesAt())) {
      return new ClaimOutcome.Closed();
    }
    if (status == CouponStatus.PAUSED) {
      return new ClaimOutcome.Paused();
    }
    return now.isBefore(window.opensAt()) ? new ClaimOutcome.NotOpen(window.opensAt()) : null;
  }
}
