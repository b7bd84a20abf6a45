package io.firstcome.adapter.redis;

import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.history.StockHistoriesContract;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.WaitingRooms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Redis and the in-memory stock behave the same in random histories of calls. */
class RedisAgainstInMemoryIT extends StockHistoriesContract {

  private final RedisBackend redis = RedisBackend.empty(LOG_CAP);
  private final String appendfsync =
      redis.commands(commands -> commands.configGet("appendfsync")).getOrDefault("appendfsync", "");

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    redis.wipe();
    return new QuicklyRestarted(redis);
  }

  /** No server is killed here, so no reply needs to wait for the disk. */
  @BeforeEach
  void writeToDiskLater() {
    redis.commands(commands -> commands.configSet("appendfsync", "no"));
  }

  @AfterEach
  void writeToDiskAtOnceAgainAndClose() {
    redis.commands(commands -> commands.configSet("appendfsync", appendfsync));
    redis.close();
  }

  /**
   * The backend with a simulated restart of a millisecond: a server that briefly becomes a replica
   * of an unreachable master keeps all its data and gets another replication id.
   */
  private record QuicklyRestarted(RedisBackend redis) implements HandoffStockUnderTest {

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
    public SoldOutLeases leases() {
      return redis.leases();
    }

    @Override
    public WaitingRooms rooms() {
      return redis.rooms();
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
