package io.firstcome.benchmark.lab.strategy;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.benchmark.rig.FirstcomeRig;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Firstcome, with its stock in Redis or in PostgreSQL. In Redis: group commit, one Lua call for a
 * whole group, hand-off log, relay, broker and recorder, without HTTP. In PostgreSQL: group commit,
 * and one transaction for a whole group, which writes its rows.
 *
 * <p>Right: with Redis it is as exact as {@link StreamHandOff}, with one call and one flush for
 * many claims, and its fence detects that Redis was replaced or restarted; with PostgreSQL it is as
 * exact as {@link RowLock}, with one lock and one commit for many claims. Wrong: it is more
 * complex.
 */
final class FirstcomeItself implements Strategy {

  private static final String COUPON = FirstcomeRows.COUPON.value();

  private final Stores stores;
  private final int quantity;
  private final StockBackend backend;
  private @Nullable FirstcomeRig rig;
  private @Nullable Coupon coupon;

  FirstcomeItself(Stores stores, int quantity, StockBackend backend) {
    this.stores = stores;
    this.quantity = quantity;
    this.backend = backend;
  }

  @Override
  public void prepare() {
    FirstcomeRig.empty(stores.firstcome());
  }

  @Override
  public void start() throws InterruptedException {
    var started =
        FirstcomeRig.start(
            stores.firstcome(), ApplicationLimits.defaults(), RedisLimits.defaults());
    rig = started;
    coupon = started.find(COUPON).orElseGet(() -> started.define(COUPON, quantity, backend));
    started.startCarrying();
  }

  @Override
  public StrategyAnswer claim(String user) throws InterruptedException, ExecutionException {
    var outcome = rig().groupCommit().claim(coupon(), new UserId(user)).toCompletableFuture().get();
    return switch (outcome) {
      case ClaimOutcome.Accepted _, ClaimOutcome.Issued _ -> StrategyAnswer.WON;
      case ClaimOutcome.AlreadyIssued _ -> StrategyAnswer.ALREADY;
      case ClaimOutcome.SoldOut _, ClaimOutcome.Withheld _ -> StrategyAnswer.SOLD_OUT;
      case ClaimOutcome.Busy _,
          ClaimOutcome.Repeat _,
          ClaimOutcome.NotOpen _,
          ClaimOutcome.Closed _,
          ClaimOutcome.Paused _,
          ClaimOutcome.CampaignLimit _,
          ClaimOutcome.Returned _,
          ClaimOutcome.Rejected _ ->
          throw new IllegalStateException("no answer: " + outcome);
    };
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    rig().awaitRecorded(coupon(), within);
  }

  @Override
  public List<String> owners() throws SQLException {
    return FirstcomeRows.owners(rig().dataSource());
  }

  private FirstcomeRig rig() {
    return Objects.requireNonNull(rig, "not started");
  }

  private Coupon coupon() {
    return Objects.requireNonNull(coupon, "not started");
  }

  @Override
  public void close() {
    if (rig != null) {
      rig.close();
    }
  }
}
