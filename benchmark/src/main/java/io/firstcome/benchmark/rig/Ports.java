package io.firstcome.benchmark.rig;

import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.adapter.redis.RedisAdapterConfiguration;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.adapter.redis.RedisReaderName;
import io.firstcome.application.StockOfEachCoupon;
import io.firstcome.devservices.RedisServer;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.lettuce.core.resource.ClientResources;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The adapters, made by their own configurations and wired to these servers. */
final class Ports implements AutoCloseable {

  private final AnnotationConfigApplicationContext context;

  Ports(
      DataSource dataSource,
      RedisServer redis,
      RedisLimits limits,
      List<Partition> partitions,
      CodeKeys codeKeys) {
    context = new AnnotationConfigApplicationContext();
    context.registerBean("dataSource", DataSource.class, () -> dataSource);
    // Not the server itself, which the context would close at its end.
    context.registerBean(
        "address",
        RedisStandaloneConfiguration.class,
        () -> new RedisStandaloneConfiguration(redis.host(), redis.port()));
    context.registerBean("codeKeys", CodeKeys.class, () -> codeKeys);
    context.registerBean("limits", RedisLimits.class, () -> limits);
    for (var partition : partitions) {
      context.registerBean("partition" + partition, Partition.class, () -> partition);
    }
    context.register(Wiring.class);
    context.refresh();
  }

  /** Both stocks, as the service has them. */
  StockOfEachCoupon stock() {
    return new StockOfEachCoupon(
        Map.of(
            StockBackend.REDIS, context.getBean("redisCouponStock", CouponStock.class),
            StockBackend.POSTGRES, context.getBean("postgresCouponStock", CouponStock.class)));
  }

  <T> T get(Class<T> port) {
    return context.getBean(port);
  }

  @Override
  public void close() {
    context.close();
  }

  /** What the adapters ask for, as the service gives it to them. */
  @Configuration(proxyBeanMethods = false)
  @Import({RedisAdapterConfiguration.class, PersistenceAdapterConfiguration.class})
  static class Wiring {

    @Bean(destroyMethod = "shutdown")
    ClientResources clientResources(RedisLimits limits) {
      return ClientResources.builder()
          .reconnectDelay(RedisAdapterConfiguration.reconnectDelay(limits))
          .build();
    }

    @Bean
    LettuceConnectionFactory connections(
        RedisStandaloneConfiguration address, RedisLimits limits, ClientResources resources) {
      return new LettuceConnectionFactory(
          address,
          LettuceClientConfiguration.builder()
              .clientOptions(RedisAdapterConfiguration.clientOptions(limits))
              .clientResources(resources)
              .build());
    }

    @Bean
    RedisReaderName readerName() {
      return new RedisReaderName("rig");
    }

    @Bean
    IssuanceObserver observer() {
      return IssuanceObserver.silent();
    }
  }
}
