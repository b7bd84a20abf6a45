package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.rabbitmq.RabbitLimits;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.application.ApplicationLimits;
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

  /** All limits of an instance. */
  record Limits(
      ApplicationLimits application,
      PersistenceLimits database,
      RedisLimits redis,
      RabbitLimits rabbit) {

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
    }

    private static void requireShorter(
        String shorter, Duration time, String longer, Duration limit) {
      if (time.compareTo(limit) >= 0) {
        throw new IllegalArgumentException(
            "firstcome.limits: %s (%s) must be shorter than %s (%s)"
                .formatted(shorter, time, longer, limit));
      }
    }

    /**
     * Binds all of them.
     *
     * @throws IllegalArgumentException if a value is invalid, or a property sets no limit
     */
    static Limits bind(LimitsBinder binder) {
      var defaults = ApplicationLimits.defaults();
      var limits =
          new Limits(
              new ApplicationLimits(
                  binder.bind("claims", defaults.claims()),
                  binder.bind("recording", defaults.recording()),
                  binder.bind("recovery", defaults.recovery()),
                  binder.bind("comparison", defaults.comparison()),
                  binder.bind("user-coupons", defaults.userCoupons()),
                  binder.bind("events", defaults.events())),
              binder.bind("database", PersistenceLimits.defaults()),
              binder.bind("redis", RedisLimits.defaults(), "replicas"),
              binder.bind("rabbit", RabbitLimits.defaults(), "prefix", "listens"));
      binder.requireAllKnown();
      return limits;
    }
  }

  @Bean
  Limits limits(Environment environment) {
    return Limits.bind(new LimitsBinder(environment));
  }

  @Bean
  ApplicationLimits applicationLimits(Limits limits) {
    return limits.application();
  }

  @Bean
  PersistenceLimits persistenceLimits(Limits limits) {
    return limits.database();
  }
}
