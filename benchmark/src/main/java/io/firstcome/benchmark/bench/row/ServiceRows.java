package io.firstcome.benchmark.bench.row;

import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.persistence.session.PoolLimits;
import io.firstcome.benchmark.rig.Definitions;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Rows as the service writes them, by its own adapter. */
public final class ServiceRows implements RowWriter {

  private static final Epoch EPOCH = new Epoch(1);

  private final HikariDataSource pool;
  private final AnnotationConfigApplicationContext context;
  private final UserCouponRepository userCoupons;

  private ServiceRows(HikariDataSource pool, CodeKeys codeKeys) {
    this.pool = pool;
    context = new AnnotationConfigApplicationContext();
    context.registerBean("dataSource", DataSource.class, () -> pool);
    context.registerBean("codeKeys", CodeKeys.class, () -> codeKeys);
    context.registerBean("limits", PersistenceLimits.class, PersistenceLimits::defaults);
    context.registerBean("poolLimits", PoolLimits.class, PoolLimits::defaults);
    context.registerBean("observer", IssuanceObserver.class, IssuanceObserver::silent);
    context.register(PersistenceAdapterConfiguration.class);
    context.refresh();
    userCoupons = context.getBean(UserCouponRepository.class);
  }

  /** Creates the schema and the coupon. */
  public static ServiceRows create(
      PostgresServer postgres, String couponId, int quantity, CodeKeys codeKeys) {
    var settings = PersistenceAdapterConfiguration.sessionSettings(PersistenceLimits.defaults());
    var pool = RowPool.create(postgres, "rows", settings);
    // Not over the pool: a migration uses two connections.
    Flyway.configure()
        .dataSource(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword())
        .load()
        .migrate();
    var rows = new ServiceRows(pool, codeKeys);
    rows.define(couponId, quantity, codeKeys);
    return rows;
  }

  private void define(String couponId, int quantity, CodeKeys codeKeys) {
    var partition = new Partition(0);
    var now = Instant.now();
    var coupon =
        new Coupon(
            Definitions.open(couponId, quantity, now),
            CouponStatus.ACTIVE,
            1,
            partition,
            codeKeys.activeVersion(),
            StockBackend.REDIS);
    var coupons = context.getBean(CouponRepository.class);
    coupons.addIfAbsent(
        coupon, Actor.operator(new UserId("benchmark")), now.minus(Duration.ofDays(1)));
    context.getBean(PartitionEpochs.class).raise(partition, EPOCH);
  }

  @Override
  public DataSource dataSource() {
    return pool;
  }

  @Override
  public void write(List<AcceptedClaim> claims) {
    var outcomes = userCoupons.record(claims);
    if (!outcomes.stream().allMatch(RecordOutcome.Recorded.class::isInstance)) {
      throw new IllegalStateException("not every claim became a row");
    }
  }

  @Override
  public void close() {
    context.close();
    pool.close();
  }
}
