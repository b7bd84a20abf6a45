package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.adapter.rabbitmq.RabbitAdapterConfiguration;
import io.firstcome.adapter.rabbitmq.RabbitLimits;
import io.firstcome.adapter.redis.RedisAdapterConfiguration;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.adapter.redis.RedisReaderName;
import io.firstcome.domain.coupon.Partition;
import java.util.List;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Takes the three adapters in, and gives them what they ask for. */
@Configuration(proxyBeanMethods = false)
@Import({
  RedisAdapterConfiguration.class,
  PersistenceAdapterConfiguration.class,
  RabbitAdapterConfiguration.class
})
class AdapterWiring {

  @Bean
  RedisLimits redisLimits(FirstcomeProperties properties) {
    return RedisLimits.defaults().withReplicas(properties.replicas());
  }

  @Bean
  RabbitLimits rabbitLimits() {
    return RabbitLimits.defaults();
  }

  @Bean
  LettuceClientConfigurationBuilderCustomizer nothingIsSentTwice(RedisLimits limits) {
    return builder -> builder.clientOptions(RedisAdapterConfiguration.clientOptions(limits));
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
}
