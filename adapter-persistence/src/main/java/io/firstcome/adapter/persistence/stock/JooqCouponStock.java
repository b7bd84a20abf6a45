package io.firstcome.adapter.persistence.stock;

import static io.firstcome.adapter.persistence.generated.Tables.COUPON;

import io.firstcome.adapter.persistence.coupon.CouponRows;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.LedgerPage;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.UnrecordableException;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * {@link CouponStock} in PostgreSQL: the rows are the stock, see {@link StockRows}, and the
 * coupon's own row says whether slots are allocated. There is no second store that could be ahead
 * of the rows or behind them, so the epoch of an address is not checked.
 */
public final class JooqCouponStock implements CouponStock {

  /** The batch size of the recorder's insert statement. */
  private static final int MAX_CLAIMS_PER_CALL = 512;

  private static final int LEDGER_PAGE = 1_000;

  /**
   * No caller waits for an adoption, but an instance that is frozen during it holds the coupon's
   * row for this long.
   */
  private static final Duration ADOPTION_TIME = Duration.ofSeconds(5);

  private final Database database;
  private final CodeKeys codeKeys;
  private final Executor executor;

  /**
   * @param executor runs the transactions of claims, which block
   */
  public JooqCouponStock(Database database, CodeKeys codeKeys, Executor executor) {
    this.database = database;
    this.codeKeys = codeKeys;
    this.executor = executor;
  }

  /** One: a second call would only wait for the row that the first one holds. */
  @Override
  public int maxCallsInFlight() {
    return 1;
  }

  @Override
  public int maxClaimsPerCall() {
    return MAX_CLAIMS_PER_CALL;
  }

  @Override
  public CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, @Nullable Campaign campaign, List<Claim> claims, Duration within) {
    var deadline = Deadline.in(within);
    return CompletableFuture.supplyAsync(
        () ->
            inTransaction(dsl -> {
              if (campaign != null) {
                LockedCoupon.lockCampaign(dsl, campaign.id(), deadline.left());
              }
              return new SlotAllocation(dsl, coupon, codeKeys, deadline).claim(campaign, claims);
            }),
        executor);
  }

  @Override
  public List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> claims) {
    var deadline = Deadline.in(ADOPTION_TIME);
    return inTransaction(dsl -> new SlotAllocation(dsl, coupon, codeKeys, deadline).adopt(claims));
  }

  /** Creates nothing: the coupon's own row is its stock, from its definition on. */
  @Override
  public void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms) {
    reading(dsl -> requireStock(dsl, coupon.couponId()));
  }

  /** Changes nothing: terms in the coupon's row take effect with its commit. */
  @Override
  public StockTerms apply(StockAddress coupon, StockTerms terms) {
    return terms(coupon);
  }

  /** Nothing needs to be frozen: the edit itself locks the coupon's row, as claims do. */
  @Override
  public FreezeOutcome freeze(StockAddress coupon, int revision, Duration within) {
    return reading(dsl -> {
      var id = coupon.couponId();
      int current =
          dsl.select(COUPON.REVISION)
              .from(COUPON)
              .where(LockedCoupon.hasItsStockHere(id))
              .fetchOptional(COUPON.REVISION)
              .orElseThrow(() -> LockedCoupon.noStock(id));
      if (current != revision) {
        return FreezeOutcome.OTHER_REVISION;
      }
      return StockRows.hasMarks(dsl, id) ? FreezeOutcome.CLAIMED : FreezeOutcome.FROZEN;
    });
  }

  @Override
  public StockTerms terms(StockAddress coupon) {
    return reading(dsl ->
        CouponRows.withCampaigns(dsl)
            .where(LockedCoupon.hasItsStockHere(coupon.couponId()))
            .fetchOptional(row -> StockTerms.of(CouponRows.fromRow(row)))
            .orElseThrow(() -> LockedCoupon.noStock(coupon.couponId())));
  }

  /**
   * Keeps the rows, which are the system of record, and removes their free slots from the stock.
   */
  @Override
  public void remove(StockAddress coupon) {
    inTransaction(dsl -> {
      var id = coupon.couponId();
      var status = COUPON.STATUS.eq(CouponStatus.ARCHIVED.name());
      if (!dsl.fetchExists(COUPON, COUPON.COUPON_ID.eq(id.value()).and(status))) {
        throw LockedCoupon.noStock(id);
      }
      return StockRows.forgetFree(dsl, id);
    });
  }

  @Override
  public Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users) {
    return reading(dsl -> {
      requireStock(dsl, coupon.couponId());
      return StockRows.marks(dsl.fetch(StockRows.marksOf(coupon.couponId(), users)));
    });
  }

  @Override
  public LedgerPage ledger(StockAddress coupon, @Nullable String cursor) {
    return reading(dsl -> {
      requireStock(dsl, coupon.couponId());
      return new RowLedger(dsl, coupon.couponId(), LEDGER_PAGE).page(cursor);
    });
  }

  @Override
  public StockLevel level(StockAddress coupon) {
    return reading(dsl -> {
      var id = coupon.couponId();
      int total = requireStock(dsl, id);
      int next = dsl.select(StockRows.next(id)).fetchSingle().value1();
      return new StockLevel(
          total, Math.max(0, total - next + 1) + StockRows.countFree(dsl, id), next);
    });
  }

  @Override
  public List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max) {
    return reading(dsl -> {
      requireStock(dsl, coupon.couponId());
      return StockRows.free(dsl, coupon.couponId(), after == null ? 0 : after.number(), max);
    });
  }

  /** Changes nothing: the rows are the stock, and are erased there. */
  @Override
  public void erase(StockAddress coupon, UserId user, UserId pseudonym) {
    reading(dsl -> requireStock(dsl, coupon.couponId()));
  }

  /** Changes nothing: the rows of the coupons say it, in the transaction of the erasure. */
  @Override
  public void expectPseudonyms(StockAddress coupon) {
    reading(dsl -> requireStock(dsl, coupon.couponId()));
  }

  @Override
  public ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation) {
    return inTransaction(dsl -> {
      requireStock(dsl, coupon.couponId());
      return StockRows.offer(dsl, coupon.couponId(), user, slot, generation)
          ? new ReleaseOutcome.Released()
          : new ReleaseOutcome.NotHeld();
    });
  }

  /** Returns the coupon's total quantity. */
  private static int requireStock(DSLContext dsl, CouponId couponId) {
    return dsl.select(COUPON.TOTAL_QUANTITY)
        .from(COUPON)
        .where(LockedCoupon.hasItsStockHere(couponId))
        .fetchOptional(COUPON.TOTAL_QUANTITY)
        .orElseThrow(() -> LockedCoupon.noStock(couponId));
  }

  private <T> T inTransaction(Function<DSLContext, T> work) {
    return ofStock(() -> database.transaction(work));
  }

  private <T> T reading(Function<DSLContext, T> query) {
    return ofStock(() -> database.read(query));
  }

  private static <T> T ofStock(Supplier<T> call) {
    try {
      return call.get();
    } catch (DatabaseUnavailableException e) {
      throw new StockUnavailableException(
          e.effect(), "the database, which is the stock, failed", e);
    } catch (UnrecordableException e) {
      throw new StockUnavailableException(Effect.NONE, "the database rejected the call", e);
    }
  }
}
