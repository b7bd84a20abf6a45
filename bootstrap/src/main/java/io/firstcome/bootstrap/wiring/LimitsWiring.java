package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.persistence.session.PoolLimits;
import io.firstcome.adapter.rabbitmq.RabbitLimits;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.webhook.WebhookLimits;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * The limits of a deployment: the defaults, unless properties under {@code firstcome.limits} set
 * others. They are listed with their defaults in {@code
 * META-INF/spring-configuration-metadata.json}.
 */
@Configuration(proxyBeanMethods = false)
class LimitsWiring {

  /** In seconds. */
  private static final String SOCKET_TIMEOUT =
      "spring.datasource.hikari.data-source-properties.socketTimeout";

  private static final Duration DEADLOCK_TIMEOUT = Duration.ofSeconds(1);

  /** All limits of an instance. */
  record Limits(
      ApplicationLimits application,
      PersistenceLimits database,
      RedisLimits redis,
      RabbitLimits rabbit,
      HttpLimits http,
      RequestLimits requests,
      LoadLimits load,
      PoolLimits pools,
      WebhookLimits webhooks) {

    Limits {
      requireShorter(
          "rabbit.event-time", rabbit.eventTime(),
          "database.idle-in-transaction", database.idleInTransaction());
      var claims = application.claims();
      requireShorter(
          "two redis.replica-time", redis.replicaTime().multipliedBy(2),
          "claims.call-time", claims.callTime());
      requireShorter(
          "claims.call-time and claims.answer-time", claims.callTime().plus(claims.answerTime()),
          "redis.command-time", redis.commandTime());
      requireShorter(
          "database.statement", database.statement(),
          "database.recovery-step", database.recoveryStep());
      // Otherwise both batches of a deadlock give up before the server resolves it.
      requireShorter(
          "PostgreSQL's deadlock_timeout",
          DEADLOCK_TIMEOUT,
          "database.short-lock-wait",
          database.shortLockWait());
    }

    /**
     * Requires that the server ends a call, and reports the reason, before the driver gives up.
     *
     * @throws InvalidSettingException if it would not
     */
    Limits requireBelowSocketTimeout(Duration socketTimeout) {
      var driver = "the driver's socketTimeout";
      requireShorter("database.lock-wait", database.lockWait(), driver, socketTimeout);
      requireShorter("database.statement", database.statement(), driver, socketTimeout);
      requireShorter("database.transaction", database.transaction(), driver, socketTimeout);
      return this;
    }

    private static void requireShorter(
        String shorter, Duration time, String longer, Duration limit) {
      if (time.compareTo(limit) >= 0) {
        throw new InvalidSettingException(
            "firstcome.limits: %s (%s) must be shorter than %s (%s)"
                .formatted(shorter, time, longer, limit));
      }
    }

    /**
     * Binds all of them.
     *
     * @throws InvalidSettingException if a value is invalid, or a property sets no limit
     */
    static Limits bind(LimitsBinder binder) {
      var defaults = ApplicationLimits.defaults();
      var limits =
          new Limits(
              new ApplicationLimits(
                  binder.bind("claims", defaults.claims()),
                  binder.bind("sold-out", defaults.soldOut()),
                  binder.bind("rooms", defaults.rooms()),
                  binder.bind("recording", defaults.recording()),
                  binder.bind("recovery", defaults.recovery()),
                  binder.bind("comparison", defaults.comparison()),
                  binder.bind("user-coupons", defaults.userCoupons()),
                  binder.bind("events", defaults.events()),
                  binder.bind("retention", defaults.retention())),
              binder.bind("database", PersistenceLimits.defaults()),
              binder.bind("redis", RedisLimits.defaults(), "replicas"),
              binder.bind("rabbit", RabbitLimits.defaults(), "prefix", "listens"),
              binder.bind("http", HttpLimits.defaults()),
              binder.bind("requests", RequestLimits.defaults()),
              binder.bind("load", LoadLimits.defaults()),
              binder.bind("pools", PoolLimits.defaults()),
              binder.bind("webhooks", WebhookLimits.defaults()));
      binder.requireAllKnown();
      return limits;
    }
  }

  @Bean
  Limits limits(Environment environment) {
    var socketTimeout = environment.getRequiredProperty(SOCKET_TIMEOUT, Integer.class);
    return Limits.bind(new LimitsBinder(environment))
        .requireBelowSocketTimeout(Duration.ofSeconds(socketTimeout));
  }

  @Bean
  MaxConnections maxConnections(Environment environment) {
    return MaxConnections.of(environment, Runtime.getRuntime().maxMemory());
  }

  @Bean
  ApplicationLimits applicationLimits(Limits limits, MaxConnections connections) {
    var configured = limits.application();
    var recording = configured.recording();
    return configured.withRecording(
        recording.withAwaitedRows(Math.min(recording.awaitedRows(), connections.waiting())));
  }

  @Bean
  HttpLimits httpLimits(Limits limits) {
    return limits.http();
  }

  @Bean
  RequestLimits requestLimits(Limits limits) {
    return limits.requests();
  }

  @Bean
  LoadLimits loadLimits(Limits limits) {
    return limits.load();
  }

  @Bean
  PoolLimits poolLimits(Limits limits) {
    return limits.pools();
  }

  @Bean
  PersistenceLimits persistenceLimits(Limits limits) {
    return limits.database();
  }
}
