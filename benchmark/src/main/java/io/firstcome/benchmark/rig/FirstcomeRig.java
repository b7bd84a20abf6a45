package io.firstcome.benchmark.rig;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.BringToStock;
import io.firstcome.application.CouponCatalog;
import io.firstcome.application.DefineCoupon;
import io.firstcome.application.ExactnessProof;
import io.firstcome.application.GroupCommit;
import io.firstcome.application.KeepDeadLetters;
import io.firstcome.application.KnownEpochs;
import io.firstcome.application.ProveExactness;
import io.firstcome.application.RebuildCoupon;
import io.firstcome.application.RecordAcceptedClaims;
import io.firstcome.application.RecoverStock;
import io.firstcome.application.RelayAcceptedClaims;
import io.firstcome.application.RowArrivals;
import io.firstcome.application.SettleLateClaims;
import io.firstcome.application.StockBackends;
import io.firstcome.application.StockKeeper;
import io.firstcome.application.StockOfEachCoupon;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisServer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Firstcome in this JVM, from group commit to the rows, on real servers: the adapters and use cases
 * of the service, wired as the service wires them. It has no REST facade, and in place of the
 * broker a queue in memory; the hand-off log before it and the recorder behind it are the true
 * ones.
 *
 * <p>A rig that starts where another one was killed goes on with what that one left: recovery where
 * the fence asks for it, and the sweep for log entries that nobody recorded.
 */
public final class FirstcomeRig implements AutoCloseable {

  private final RigLimits rigLimits = RigLimits.defaults();
  private final ApplicationLimits limits;
  private final InstantSource clock = InstantSource.system();
  private final IssuanceObserver observer = IssuanceObserver.silent();
  // Ids and codes need not be secret here, only the same after a restart.
  private final CodeKeys codeKeys = new CodeKeys(Map.of(1, new byte[CodeKeys.MIN_KEY_BYTES]));
  private final List<Partition> partitions = Partition.all(rigLimits.partitions());
  private final HikariDataSource dataSource;
  private final Ports ports;
  private final StockOfEachCoupon stock;
  private final UserCouponRepository userCoupons;
  private final HandoffLog log;
  private final KnownEpochs epochs = new KnownEpochs();
  private final CouponCatalog catalog;
  private final ExecutorService executor;
  private final GroupCommit groupCommit;
  private final DirectHandOff handOff = new DirectHandOff(rigLimits);
  private final StockKeeper keeper;
  private final Rounds keeping = new Rounds(rigLimits);
  private final Rounds carrying = new Rounds(rigLimits);

  private FirstcomeRig(
      PostgresServer postgres,
      String database,
      RedisServer redis,
      ApplicationLimits limits,
      RedisLimits redisLimits) {
    this.limits = limits;
    dataSource = dataSource(postgres, database);
    Flyway.configure().dataSource(dataSource).load().migrate();
    ports = new Ports(dataSource, redis, redisLimits, partitions, codeKeys);
    stock = ports.stock();
    userCoupons = ports.get(UserCouponRepository.class);
    log = ports.get(HandoffLog.class);
    catalog = new CouponCatalog(ports.get(CouponRepository.class), clock);
    // As in the service: virtual threads are started in the order they are asked for.
    executor = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory());
    groupCommit = new GroupCommit(stock::of, epochs, limits, executor, observer);
    keeper = new StockKeeper(recoverStock(), partitions);
  }

  /**
   * Starts on these servers, with the tables of that database, which must exist, brought up to
   * date. Returns when claims are taken; relay and recorder rest until {@link #startCarrying}.
   *
   * @throws IllegalStateException if the partitions did not open in time
   */
  public static FirstcomeRig start(
      PostgresServer postgres,
      String database,
      RedisServer redis,
      ApplicationLimits limits,
      RedisLimits redisLimits)
      throws InterruptedException {
    var rig = new FirstcomeRig(postgres, database, redis, limits, redisLimits);
    try {
      rig.keepOpen();
    } catch (RuntimeException | InterruptedException e) {
      rig.close();
      throw e;
    }
    return rig;
  }

  private HikariDataSource dataSource(PostgresServer postgres, String database) {
    var config = new HikariConfig();
    config.setJdbcUrl(postgres.jdbcUrl(database));
    config.setUsername(postgres.user());
    config.setPassword(postgres.password());
    config.setMaximumPoolSize(rigLimits.databaseConnections());
    config.addDataSourceProperty("logServerErrorDetail", "false");
    return new HikariDataSource(config);
  }

  private RecoverStock recoverStock() {
    var recovery = ports.get(StockRecovery.class);
    var lateClaims = ports.get(LateClaimRepository.class);
    return new RecoverStock(
        ports.get(PartitionEpochs.class),
        epochs,
        ports.get(CouponRepository.class),
        lateClaims,
        recovery,
        log,
        handOff,
        new RebuildCoupon(recovery, stock, userCoupons, lateClaims, clock, limits),
        limits,
        observer);
  }

  private void keepOpen() throws InterruptedException {
    for (var partition : partitions) {
      keeping.start(
          "keeping partition " + partition,
          () -> {
            keeper.keep(partition);
            keeper.awaitNextLook(rigLimits.lookEvery());
          });
    }
    Waiting.until(rigLimits.openWithin(), keeper::allOpen, "the partitions did not open");
  }

  /** Starts relay, sweep and recorders; they end with the rig. */
  public void startCarrying() {
    var relay = new RelayAcceptedClaims(log, handOff, limits, observer);
    var recorder = recorder();
    carrying.start("relay", relay::relayNew);
    carrying.start(
        "sweep",
        () -> {
          if (relay.relayStale() == 0) {
            Thread.sleep(rigLimits.sweepEvery());
          }
        });
    for (int i = 0; i < rigLimits.recorders(); i++) {
      carrying.start(
          "recorder " + i,
          () -> {
            var entries = handOff.take(rigLimits.recordedEntries(), rigLimits.recorderWait());
            if (!entries.isEmpty()) {
              recorder.record(entries);
            }
          });
    }
    var lateClaims = settleLateClaims();
    carrying.start(
        "late claims",
        () -> {
          if (partitions.stream().mapToInt(lateClaims::settle).sum() == 0) {
            Thread.sleep(rigLimits.sweepEvery());
          }
        });
  }

  private KeepDeadLetters deadLetters() {
    return new KeepDeadLetters(ports.get(DeadLetters.class), clock, limits, observer);
  }

  private RecordAcceptedClaims recorder() {
    return new RecordAcceptedClaims(
        catalog,
        codeKeys,
        userCoupons,
        log,
        deadLetters(),
        new RowArrivals(userCoupons, limits),
        keeper,
        limits,
        observer);
  }

  private SettleLateClaims settleLateClaims() {
    return new SettleLateClaims(
        catalog,
        epochs,
        codeKeys,
        stock,
        userCoupons,
        ports.get(LateClaimRepository.class),
        deadLetters(),
        new RowArrivals(userCoupons, limits),
        keeper,
        clock,
        limits,
        observer);
  }

  /** Defines a coupon that can be claimed from now on. */
  public Coupon define(String id, int pieces, StockBackend backend) {
    var coupons = ports.get(CouponRepository.class);
    var bringToStock = new BringToStock(coupons, stock, epochs, observer);
    var result =
        new DefineCoupon(
                coupons,
                bringToStock,
                codeKeys,
                partitions.size(),
                StockBackends.allWithUsual(backend),
                clock)
            .define(Definitions.open(id, pieces, clock.instant()), backend, Actor.UNNAMED_OPERATOR);
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
    return catalog.find(new CouponId(id));
  }

  public GroupCommit groupCommit() {
    return groupCommit;
  }

  public CouponStock stock() {
    return stock;
  }

  /** What gives the address of a coupon for calls of the stock. */
  public KnownEpochs epochs() {
    return epochs;
  }

  public HandoffLog log() {
    return log;
  }

  /** Of the database with the tables of Firstcome. */
  public DataSource dataSource() {
    return dataSource;
  }

  /** Stock, log and rows of the coupon, compared. */
  public ExactnessProof prove(Coupon coupon) {
    return new ProveExactness(
            ports.get(CouponRepository.class),
            stock,
            log,
            userCoupons,
            ports.get(LateClaimRepository.class),
            epochs,
            clock,
            limits)
        .prove(coupon.id())
        .orElseThrow(() -> new IllegalStateException("vanished: coupon " + coupon.id()));
  }

  /**
   * Waits until every accepted claim of the coupon has its row: the log of its partition is empty,
   * and nothing is on its way elsewhere either, as after a recovery.
   *
   * @throws IllegalStateException if that takes longer
   */
  public void awaitRecorded(Coupon coupon, Duration within) throws InterruptedException {
    Waiting.until(
        within,
        // The proof reads the whole ledger, so it waits until the log says that it may be worth it.
        () -> answered(() -> log.depth(coupon.partition()).entries() == 0 && prove(coupon).exact()),
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
    executor.shutdown();
    ports.close();
    dataSource.close();
  }
}
