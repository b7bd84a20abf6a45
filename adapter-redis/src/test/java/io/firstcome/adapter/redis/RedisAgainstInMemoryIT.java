package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.StockBackend;
import io.firstcome.contracts.stock.history.StockHistoriesContract;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.StockRecovery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Redis cannot be told from the in-memory stock. */
class RedisAgainstInMemoryIT extends StockHistoriesContract {

  private final RedisBackend redis = RedisBackend.empty(LOG_CAP);
  private final String whenToDisk =
      redis.commands(commands -> commands.configGet("appendfsync")).getOrDefault("appendfsync", "");

  @Override
  protected StockBackend emptyBackend() {
    redis.wipe();
    return new QuicklyRestarted(redis);
  }

  /** Nothing is killed here, so no answer needs to wait for the disk. */
  @BeforeEach
  void writeToDiskLater() {
    redis.commands(commands -> commands.configSet("appendfsync", "no"));
  }

  @AfterEach
  void writeToDiskAtOnceAgainAndClose() {
    redis.commands(commands -> commands.configSet("appendfsync", whenToDisk));
    redis.close();
  }

  /**
   * The backend with a restart of a millisecond: a server that becomes a replica for a moment, of a
   * master that is not there, goes on with all its data and another replication id.
   */
  private record QuicklyRestarted(RedisBackend redis) implements StockBackend {

    @Override
    public CouponStock stock() {
      return redis.stock();
    }

    @Override
    public StockRecovery recovery() {
      return redis.recovery();
    }

    @Override
    public HandoffLog log() {
      return redis.log();
    }

    @Override
    public void restart() {
      redis.commands(commands -> {
        commands.replicaof("127.0.0.1", 1);
        return commands.replicaofNoOne();
      });
    }

    @Override
    public void wipe() {
      redis.wipe();
    }
  }
}
