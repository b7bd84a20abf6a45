package io.firstcome.benchmark.bench.service;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.lab.strategy.Strategy;
import io.firstcome.benchmark.lab.strategy.StrategyAnswer;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Strategies of the lab behind a call like a claim of the service, one at a time. They use the
 * servers that are configured for the service.
 */
@RestController
public class StrategyController {

  /**
   * The database of Firstcome, which is not among the strategies here: the service itself is
   * measured.
   */
  private static final String NO_DATABASE = "none";

  private static final Duration SETTLES_WITHIN = Duration.ofMinutes(2);

  private final Environment environment;
  private volatile @Nullable Strategy strategy;

  StrategyController(Environment environment) {
    this.environment = environment;
  }

  /** Opens a strategy with this number of slots of its one coupon, on stores that it empties. */
  @PutMapping("/strategies/{id}")
  public void open(@PathVariable String id, @RequestParam int quantity)
      throws SQLException, InterruptedException {
    Strategy opened = Contender.find(id).orElseThrow().opener().open(stores(), quantity);
    strategy = opened;
    opened.prepare();
    opened.start();
  }

  /** Claims for one user. */
  @PostMapping("/strategies/{id}/claims")
  public ResponseEntity<NoOpController.ClaimJson> claim(
      @PathVariable String id, @RequestHeader("X-User-Id") String user) throws Exception {
    StrategyAnswer answer = opened().claim(user);
    HttpStatus status =
        switch (answer) {
          case WON -> HttpStatus.ACCEPTED;
          case ALREADY -> HttpStatus.OK;
          case SOLD_OUT -> HttpStatus.CONFLICT;
        };
    return ResponseEntity.status(status).body(NoOpController.ClaimJson.of(answer.name(), id));
  }

  /** Waits until all wins are rows, ends the strategy, and returns the number of rows. */
  @DeleteMapping("/strategies/{id}")
  public int close(@PathVariable String id) throws SQLException, InterruptedException {
    try (Strategy closed = opened()) {
      closed.settle(SETTLES_WITHIN);
      return closed.owners().size();
    } finally {
      strategy = null;
    }
  }

  private Strategy opened() {
    return Objects.requireNonNull(strategy, "no strategy is open");
  }

  private Stores stores() {
    URI database = URI.create(setting("spring.datasource.url").substring("jdbc:".length()));
    String name = database.getPath().substring(1);
    return new Stores(
        PostgresServer.at(
            database.getHost(),
            database.getPort(),
            name,
            setting("spring.datasource.username"),
            setting("spring.datasource.password")),
        RedisServer.at(setting("spring.data.redis.host"), number("spring.data.redis.port")),
        // No strategy uses the kind.
        AmqpServer.at(
            AmqpServer.Kind.RABBITMQ,
            setting("spring.rabbitmq.host"),
            number("spring.rabbitmq.port"),
            setting("spring.rabbitmq.username"),
            setting("spring.rabbitmq.password")),
        name,
        NO_DATABASE);
  }

  private String setting(String name) {
    return environment.getRequiredProperty(name);
  }

  private int number(String name) {
    return environment.getRequiredProperty(name, Integer.class);
  }
}
