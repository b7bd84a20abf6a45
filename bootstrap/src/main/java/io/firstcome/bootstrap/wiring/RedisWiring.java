package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.rabbitmq.RabbitAdapterConfiguration;
import io.firstcome.adapter.rabbitmq.RabbitLimits;
import io.firstcome.adapter.redis.RedisAdapterConfiguration;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.adapter.redis.RedisReaderName;
import io.firstcome.application.HandoffPorts;
import io.firstcome.application.HandoffUseCases;
import io.firstcome.application.InstanceSettings;
import io.firstcome.application.PersistencePorts;
import io.firstcome.application.UseCases;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.port.CouponStock;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * The beans of a deployment with Redis and a broker: the two adapters, and the use cases of
 * hand-off and recovery.
 */
@Configuration(proxyBeanMethods = false)
@WithRedis
@Import({
  RedisAdapterConfiguration.class,
  RabbitAdapterConfiguration.class,
  HandoffPorts.class,
  HandoffUseCaseBeans.class
})
class RedisWiring {

  private static final String RABBIT = "spring.rabbitmq.";

  @Bean
  RedisLimits redisLimits(LimitsWiring.Limits limits, FirstcomeProperties properties) {
    return limits.redis().withReplicas(properties.replicas());
  }

  @Bean
  RabbitLimits rabbitLimits(LimitsWiring.Limits limits, Environment environment) {
    requireConfiguredTls(environment);
    return limits.rabbit();
  }

  /**
   * Spring Boot ignores the settings of TLS if the first address begins with {@code amqp://}, and
   * would send user, password and messages in plain text.
   *
   * @throws InvalidSettingException if it does, and there are such settings
   */
  static void requireConfiguredTls(Environment environment) {
    var addresses = environment.getProperty(RABBIT + "addresses", "");
    boolean isConfigured =
        environment.getProperty(RABBIT + "ssl.enabled", Boolean.class, false)
            || !environment.getProperty(RABBIT + "ssl.bundle", "").isEmpty();
    if (isConfigured && addresses.startsWith("amqp://")) {
      throw new InvalidSettingException(
          RABBIT + "addresses must begin with amqps://, since " + RABBIT + "ssl is set");
    }
  }

  @Bean
  LettuceClientOptionsBuilderCustomizer nothingIsSentTwice(RedisLimits limits) {
    return options -> RedisAdapterConfiguration.configure(options, limits);
  }

  @Bean
  LettuceClientConfigurationBuilderCustomizer noCallWaitsForever(RedisLimits limits) {
    return builder -> builder.commandTimeout(limits.commandTime());
  }

  @Bean
  ClientResourcesBuilderCustomizer soonConnectedAgain(RedisLimits limits) {
    return resources -> resources.reconnectDelay(RedisAdapterConfiguration.reconnectDelay(limits));
  }

  @Bean
  RedisReaderName redisReaderName(FirstcomeProperties properties) {
    return new RedisReaderName(properties.instance());
  }

  @Bean
  List<Partition> partitions(FirstcomeProperties properties) {
    return Partition.all(properties.partitions());
  }

  @Bean
  StockBackends stockBackends(FirstcomeProperties properties) {
    return StockBackends.allWithUsual(properties.stock());
  }

  @Bean
  UseCases useCases(
      InstanceSettings settings,
      PersistencePorts database,
      HandoffPorts handoff,
      @Qualifier("redisCouponStock") CouponStock redis,
      @Qualifier("postgresCouponStock") CouponStock postgres,
      CompareClocks clocks) {
    return UseCases.withHandoff(settings, database, handoff, redis, postgres, clocks);
  }

  @Bean
  HandoffUseCases handoffUseCases(UseCases useCases) {
    return useCases.handoff();
  }
}
