package io.firstcome.adapter.persistence.session;

import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.domain.port.ConnectionShares;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.exception.DataAccessException;

/**
 * A pool of connections for each share. The pool for claims is the given one. Each other one is a
 * copy of it with another name and size, made when it is first used; so it has the metrics of the
 * given one too.
 */
public final class ConnectionPools implements ConnectionShares, ConnectionProvider, AutoCloseable {

  private final DataSource claims;
  private final PoolLimits limits;
  private final Map<Share, HikariDataSource> others = new ConcurrentHashMap<>();
  private final ThreadLocal<Share> current = ThreadLocal.withInitial(() -> Share.CLAIMS);

  /**
   * @param claims the pool for claims; if it is not of HikariCP, it is used for all shares
   */
  public ConnectionPools(DataSource claims, PoolLimits limits) {
    this.claims = claims;
    this.limits = limits;
  }

  @Override
  public Use use(Share share) {
    current.set(share);
    return current::remove;
  }

  @Override
  public Connection acquire() {
    try {
      return pool(current.get()).getConnection();
    } catch (SQLException e) {
      throw new DataAccessException("no connection to the database", e);
    }
  }

  private DataSource pool(Share share) {
    return share != Share.CLAIMS && claims instanceof HikariDataSource pool
        ? others.computeIfAbsent(share, other -> copy(pool, other))
        : claims;
  }

  private HikariDataSource copy(HikariDataSource claims, Share share) {
    var pool = new HikariDataSource();
    claims.copyStateTo(pool);
    pool.setPoolName(share.name().toLowerCase(Locale.ROOT));
    pool.setMaximumPoolSize(size(share));
    pool.setMinimumIdle(1);
    // Otherwise the first caller connects by itself, for as long as the server does not answer, and
    // all others wait for it.
    pool.setInitializationFailTimeout(-1);
    return pool;
  }

  private int size(Share share) {
    return switch (share) {
      case CLAIMS -> throw new IllegalArgumentException("the pool for claims is given");
      case CUSTOMERS -> limits.customers();
      case SHOPS -> limits.shops();
      case OPERATORS -> limits.operators();
      case CONSOLE -> limits.console();
    };
  }

  @Override
  public void release(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new DataAccessException("a connection could not be released", e);
    }
  }

  @Override
  public void close() {
    others.values().forEach(HikariDataSource::close);
  }
}
