package io.firstcome.benchmark.rig;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.UseCases;
import io.firstcome.application.claim.GroupCommit;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.application.reconciliation.ExactnessProof;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * Firstcome in this JVM, from group commit to the rows and their events, on real servers: the
 * adapters and use cases of the service without its REST facade.
 *
 * <p>A rig that starts on the servers of a killed one continues its work: it recovers partitions
 * whose fence requires it, consumes the messages left at the broker, and sweeps log entries without
 * rows.
 */
public final class FirstcomeRig implements AutoCloseable {

  private final RigLimits limits = RigLimits.defaults();
  private final RigContext context;
  private final UseCases useCases;
  private final StockKeeper keeper;
  private final Rounds partitionLoops = new Rounds(limits);
  private final Rounds handoffLoops = new Rounds(limits);

  private FirstcomeRig(
      RigServers servers, ApplicationLimits applicationLimits, RedisLimits redisLimits) {
    context = new RigContext(servers, limits, applicationLimits, redisLimits);
    useCases = context.get(UseCases.class);
    keeper = useCases.keeper;
  }

  /**
   * Starts on these servers. Returns when claims are accepted; relay and recorders start with
   * {@link #startCarrying}.
   *
   * @throws IllegalStateException if the partitions did not open in time
   */
  public static FirstcomeRig start(
      RigServers servers, ApplicationLimits applicationLimits, RedisLimits redisLimits)
      throws InterruptedException {
    var rig = new FirstcomeRig(servers, applicationLimits, redisLimits);
    try {
      rig.keepOpen();
    } catch (RuntimeException | InterruptedException e) {
      rig.close();
      throw e;
    }
    return rig;
  }

  /** Deletes all data of an earlier rig on these servers and creates an empty database. */
  public static void empty(RigServers servers) {
    RigContext.forget(servers);
  }

  private void keepOpen() throws InterruptedException {
    for (var partition : keeper.partitions()) {
      partitionLoops.start(
          "partition " + partition,
          () -> {
            keeper.keep(partition);
            keeper.awaitNextCheck(limits.checkEvery());
          });
    }
    BoundedWait.until(
        limits.openWithin(), () -> keeper.closed().isEmpty(), "the partitions did not open");
  }

  /**
   * Starts relay, sweep, recorders, late claims and the relay of events; {@link #close} stops them.
   */
  public void startCarrying() {
    var relay = useCases.handoff().relayAcceptedClaims;
    handoffLoops.start("relay", relay::relayNew);
    handoffLoops.start("sweep", () -> sleepUnless(relay.relayStale() > 0));
    var lateClaims = useCases.handoff().settleLateClaims;
    handoffLoops.start(
        "late claims",
        () -> sleepUnless(keeper.partitions().stream().mapToInt(lateClaims::settle).sum() > 0));
    var events = useCases.handoff().relayEvents;
    handoffLoops.start("events", () -> sleepUnless(events.relayNext() > 0));
    context.listen();
  }

  private void sleepUnless(boolean foundWork) throws InterruptedException {
    if (!foundWork) {
      Thread.sleep(limits.restsFor());
    }
  }

  /** Defines a coupon that can be claimed from now on. */
  public Coupon define(String id, int quantity, StockBackend backend) {
    var definition = Definitions.open(id, quantity, context.get(InstantSource.class).instant());
    var result =
        useCases.defineCoupon.define(definition, backend, Actor.operator(new UserId("benchmark")));
    return switch (result) {
      case DefineCoupon.Result.Defined(Coupon coupon) -> coupon;
      case DefineCoupon.Result.SameAsBefore(Coupon coupon) -> coupon;
      case DefineCoupon.Result.AlreadyDefined() ->
          throw new IllegalStateException("already defined with other content: " + id);
      case DefineCoupon.Result.Refused(DefineCoupon.Reason reason) ->
          throw new IllegalStateException("refused: " + reason);
    };
  }

  /** A coupon that this rig, or another one on the same servers, has defined. */
  public Optional<Coupon> find(String id) {
    return useCases.catalog.find(new CouponId(id));
  }

  public GroupCommit groupCommit() {
    return useCases.groupCommit;
  }

  public CouponStock stock() {
    return useCases.stock;
  }

  /** Gives the address of a coupon, which calls to the stock need. */
  public KnownEpochs epochs() {
    return useCases.knownEpochs;
  }

  public HandoffLog log() {
    return context.get(HandoffLog.class);
  }

  /** The data source of the database with the tables of Firstcome. */
  public DataSource dataSource() {
    return context.get(DataSource.class);
  }

  /** Compares stock, hand-off log and rows of the coupon. */
  public ExactnessProof prove(Coupon coupon) {
    return useCases
        .proveExactness
        .prove(coupon.id())
        .orElseThrow(() -> new IllegalStateException("coupon not found: " + coupon.id()));
  }

  /**
   * Waits until every accepted claim of the coupon has its row, while no claims arrive: the log of
   * its partition is empty, and the coupon has no late claims, as which entries may have left the
   * log.
   *
   * @throws IllegalStateException on timeout
   */
  public void awaitRecorded(Coupon coupon, Duration within) throws InterruptedException {
    var lateClaims = context.get(LateClaimRepository.class);
    BoundedWait.until(
        within,
        () ->
            holds(() ->
                log().depth(coupon.partition()).entries() == 0
                    && lateClaims.page(coupon.id(), null, 1).isEmpty()),
        "not every claim has a row");
  }

  /** Returns false also if the stock is not reachable or in recovery. */
  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (ServerUnavailableException e) {
      return false;
    }
  }

  @Override
  public void close() {
    handoffLoops.stop();
    partitionLoops.stop();
    context.close();
  }
}
