package io.firstcome.adapter.persistence.session;

import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.domain.port.ConnectionShares;
import java.sql.Connection;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.jooq.ConnectionProvider;
import org.jooq.impl.DataSourceConnectionProvider;

/**
 * A pool of connections for each share. The pool for claims is the given one; the others have the
 * same settings, but other sizes, and open connections when they are first used.
 */
public final class ConnectionPools implements ConnectionShares, ConnectionProvider, AutoCloseable {

  private final Map<Share, HikariDataSource> others = new EnumMap<>(Share.class);
  private final Map<Share, ConnectionProvider> connections = new EnumMap<>(Share.class);
  private final ThreadLocal<Share> current = ThreadLocal.withInitial(() -> Share.CLAIMS);

  /**
   * @param claims the pool for claims; if it is not of HikariCP, it is used for all shares
   */
  public ConnectionPools(DataSource claims, PoolLimits limits) {
    for (var share : Share.values()) {
      connections.put(share, new DataSourceConnectionProvider(claims));
    }
    if (claims instanceof HikariDataSource pool) {
      add(Share.CUSTOMERS, pool, limits.customers());
      add(Share.SHOPS, pool, limits.shops());
      add(Share.OPERATORS, pool, limits.operators());
    }
  }

  private void add(Share share, HikariDataSource claims, int size) {
    var pool = new HikariDataSource();
    claims.copyStateTo(pool);
    pool.setPoolName(share.name().toLowerCase(Locale.ROOT));
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(1);
    others.put(share, pool);
    connections.put(share, new DataSourceConnectionProvider(pool));
  }

  @Override
  public <E extends Exception> void using(Share share, Work<E> work) throws E {
    current.set(share);
    try {
      work.run();
    } finally {
      current.remove();
    }
  }

  @Override
  public Connection acquire() {
    var provider = connections.get(current.get());
    var connection = provider == null ? null : provider.acquire();
    if (connection == null) {
      throw new IllegalStateException("no pool for " + current.get());
    }
    return connection;
  }

  /** Returns the connection to its pool, whichever that is. */
  @Override
  public void release(Connection connection) {
    connections.values().iterator().next().release(connection);
  }

  @Override
  public void close() {
    others.values().forEach(HikariDataSource::close);
  }
}
