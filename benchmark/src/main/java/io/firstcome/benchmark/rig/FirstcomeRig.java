package io.firstcome.benchmark.rig;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.CouponCatalog;
import io.firstcome.application.DefineCoupon;
import io.firstcome.application.ExactnessProof;
import io.firstcome.application.GroupCommit;
import io.firstcome.application.KnownEpochs;
import io.firstcome.application.ProveExactness;
import io.firstcome.application.RelayAcceptedClaims;
import io.firstcome.application.RelayEvents;
import io.firstcome.application.SettleLateClaims;
import io.firstcome.application.StockKeeper;
import io.firstcome.application.StockOfEachCoupon;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StockBackend;
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
 * <p>A rig that starts where another one was killed goes on with what that one left: recovery where
 * the fence asks for it, what waits at the broker, and the sweep for log entries that nobody
 * recorded.
 */
public final class FirstcomeRig implements AutoCloseable {

  private final RigLimits limits = RigLimits.defaults();
  private final RigContext context;
  private final StockKeeper keeper;
  private final Rounds keeping = new Rounds(limits);
  private final Rounds carrying = new Rounds(limits);

  private FirstcomeRig(
      RigServers servers, ApplicationLimits applicationLimits, RedisLimits redisLimits) {
    context = new RigContext(servers, limits, applicationLimits, redisLimits);
    keeper = context.get(StockKeeper.class);
  }

  /**
   * Starts on these servers. Returns when claims are taken; relay and recorders rest until {@link
   * #startCarrying}.
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

  /** Deletes all that an earlier rig has left on these servers, and makes the database. */
  public static void empty(RigServers servers) {
    RigContext.forget(servers);
  }

  private void keepOpen() throws InterruptedException {
    for (var partition : keeper.partitions()) {
      keeping.start(
          "keeping partition " + partition,
          () -> {
            keeper.keep(partition);
            keeper.awaitNextLook(limits.lookEvery());
          });
    }
    Waiting.until(
        limits.openWithin(), () -> keeper.closed().isEmpty(), "the partitions did not open");
  }

  /** Starts relay, sweep, recorders and the relay of events; they end with the rig. */
  public void startCarrying() {
    var relay = context.get(RelayAcceptedClaims.class);
    carrying.start("relay", relay::relayNew);
    carrying.start("sweep", () -> restUnless(relay.relayStale() > 0));
    var lateClaims = context.get(SettleLateClaims.class);
    carrying.start(
        "late claims",
        () -> restUnless(keeper.partitions().stream().mapToInt(lateClaims::settle).sum() > 0));
    var events = context.get(RelayEvents.class);
    carrying.start("events", () -> restUnless(events.relayNext() > 0));
    context.listen();
  }

  private void restUnless(boolean thereWasWork) throws InterruptedException {
    if (!thereWasWork) {
      Thread.sleep(limits.restsFor());
    }
  }

  /** Defines a coupon that can be claimed from now on. */
  public Coupon define(String id, int pieces, StockBackend backend) {
    var definition = Definitions.open(id, pieces, context.get(InstantSource.class).instant());
    var result =
        context.get(DefineCoupon.class).define(definition, backend, Actor.UNNAMED_OPERATOR);
    return switch (result) {
      case DefineCoupon.Result.Defined(Coupon coupon) -> coupon;
      case DefineCoupon.Result.SameAsBefore(Coupon coupon) -> coupon;
      case DefineCoupon.Result.AlreadyDefined() ->
          throw new IllegalStateException("defined before with other content: " + id);
      case DefineCoupon.Result.Refused(DefineCoupon.Reason reason) ->
          throw new IllegalStateException("refused: " + reason);
    };
  }

  /** A coupon that this rig, or another one on the same servers, has defined. */
  public Optional<Coupon> find(String id) {
    return context.get(CouponCatalog.class).find(new CouponId(id));
  }

  public GroupCommit groupCommit() {
    return context.get(GroupCommit.class);
  }

  public CouponStock stock() {
    return context.get(StockOfEachCoupon.class);
  }

  /** What gives the address of a coupon for calls of the stock. */
  public KnownEpochs epochs() {
    return context.get(KnownEpochs.class);
  }

  public HandoffLog log() {
    return context.get(HandoffLog.class);
  }

  /** Of the database with the tables of Firstcome. */
  public DataSource dataSource() {
    return context.get(DataSource.class);
  }

  /** Stock, log and rows of the coupon, compared. */
  public ExactnessProof prove(Coupon coupon) {
    return context
        .get(ProveExactness.class)
        .prove(coupon.id())
        .orElseThrow(() -> new IllegalStateException("vanished: coupon " + coupon.id()));
  }

  /**
   * Waits until every accepted claim of the coupon has its row, while nobody claims: the log of its
   * partition is empty, and no late claim, as which an entry may have left the log, waits for its
   * slot.
   *
   * @throws IllegalStateException if that takes longer
   */
  public void awaitRecorded(Coupon coupon, Duration within) throws InterruptedException {
    var lateClaims = context.get(LateClaimRepository.class);
    Waiting.until(
        within,
        () ->
            answered(() ->
                log().depth(coupon.partition()).entries() == 0
                    && lateClaims.page(coupon.id(), null, 1).isEmpty()),
        "not every claim got its row");
  }

  /** False also where the stock is away or recovers. */
  private static boolean answered(BooleanSupplier question) {
    try {
      return question.getAsBoolean();
    } catch (ServerUnavailableException e) {
      return false;
    }
  }

  @Override
  public void close() {
    carrying.stop();
    keeping.stop();
    context.close();
  }
}
