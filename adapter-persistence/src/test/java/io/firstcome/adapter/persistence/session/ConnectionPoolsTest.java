package io.firstcome.adapter.persistence.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.devservices.process.Ports;
import io.firstcome.domain.port.ConnectionShares.Share;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConnectionPoolsTest {

  private static final Duration WAIT = Duration.ofMillis(300);

  /** It accepts connections, and never answers, like a frozen server. */
  @AutoClose private final ServerSocket frozen = new ServerSocket(0, 50, Ports.loopback());

  @AutoClose private final HikariDataSource claims = new HikariDataSource();

  @AutoClose
  private final ConnectionPools pools = new ConnectionPools(claims, PoolLimits.defaults());

  ConnectionPoolsTest() throws IOException {
    claims.setJdbcUrl(
        "jdbc:postgresql://127.0.0.1:%d/any?connectTimeout=20&socketTimeout=20"
            .formatted(frozen.getLocalPort()));
    claims.setConnectionTimeout(WAIT.toMillis());
  }

  private void acquire() {
    try (var _ = pools.use(Share.SHOPS)) {
      pools.acquire();
    }
  }

  @Test
  @Timeout(10)
  void the_first_callers_wait_no_longer_than_others_if_the_server_does_not_answer()
      throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = Stream.generate(() -> threads.submit(this::acquire)).limit(3).toList();
      for (var one : first) {
        assertThatThrownBy(one::get).hasCauseInstanceOf(DataAccessException.class);
      }
    }
  }
}
