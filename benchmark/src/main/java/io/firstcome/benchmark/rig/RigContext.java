package io.firstcome.benchmark.rig;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.persistence.session.PoolLimits;
import io.firstcome.adapter.rabbitmq.RabbitAdapterConfiguration;
import io.firstcome.adapter.rabbitmq.RabbitLimits;
import io.firstcome.adapter.redis.RedisAdapterConfiguration;
import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.adapter.redis.RedisReaderName;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.lettuce.core.resource.ClientResources;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The Spring context of a rig: the use cases, and the adapters from their own configurations. */
final class RigContext implements AutoCloseable {

  /**
   * Begins the names of the queues. It is fixed, so that a later process finds the messages of a
   * killed one.
   */
  private static final String PREFIX = "rig";

  private final AnnotationConfigApplicationContext context;

  RigContext(
      RigServers servers, RigLimits rigLimits, ApplicationLimits limits, RedisLimits redisLimits) {
    context = new AnnotationConfigApplicationContext();
    context.registerBean("servers", RigServers.class, () -> servers);
    context.registerBean("rigLimits", RigLimits.class, () -> rigLimits);
    context.registerBean("limits", ApplicationLimits.class, () -> limits);
    context.registerBean("redisLimits", RedisLimits.class, () -> redisLimits);
    for (var partition : Partition.all(rigLimits.partitions())) {
      context.registerBean("partition" + partition, Partition.class, () -> partition);
    }
    context.register(Adapters.class, RigUseCases.class);
    context.refresh();
  }

  /** Deletes all data of an earlier rig on these servers and creates an empty database. */
  static void forget(RigServers servers) {
    var _ = servers.redis().command("FLUSHALL");
    var _ = servers.postgres().createDatabase(servers.database());
    var connections = connections(servers);
    try {
      var admin = new RabbitAdmin(connections);
      var _ = admin.deleteQueue(PREFIX + ".claims");
      var _ = admin.deleteQueue(PREFIX + ".claims.dead");
    } finally {
      connections.destroy();
    }
  }

  private static CachingConnectionFactory connections(RigServers servers) {
    var connections = new CachingConnectionFactory(servers.amqp().host(), servers.amqp().port());
    connections.setUsername(servers.amqp().user());
    connections.setPassword(servers.amqp().password());
    connections.setPublisherConfirmType(ConfirmType.CORRELATED);
    connections.setPublisherReturns(true);
    return connections;
  }

  <T> T get(Class<T> type) {
    return context.getBean(type);
  }

  /** Starts the recorders, which consume claims from the broker; they stop with the context. */
  void listen() {
    context.getBean("claimListenerContainer", SimpleMessageListenerContainer.class).start();
  }

  @Override
  public void close() {
    context.close();
  }

  /** The beans that the adapters need, configured as in the service. */
  @Configuration(proxyBeanMethods = false)
  @Import({
    RedisAdapterConfiguration.class,
    PersistenceAdapterConfiguration.class,
    RabbitAdapterConfiguration.class
  })
  static class Adapters {

    // Ids and codes need not be secret here, only the same after a restart.
    @Bean
    CodeKeys codeKeys() {
      return new CodeKeys(Map.of(1, new byte[CodeKeys.MIN_KEY_BYTES]), 1);
    }

    @Bean
    PersistenceLimits persistenceLimits() {
      return PersistenceLimits.defaults();
    }

    @Bean
    PoolLimits poolLimits() {
      return PoolLimits.defaults();
    }

    /** The connection pool of the database, whose schema is migrated first. */
    @Bean
    DataSource dataSource(
        RigServers servers, RigLimits limits, PersistenceLimits persistenceLimits) {
      var config = new HikariConfig();
      config.setJdbcUrl(servers.postgres().jdbcUrl(servers.database()));
      config.setUsername(servers.postgres().user());
      config.setPassword(servers.postgres().password());
      config.setMaximumPoolSize(limits.databaseConnections());
      config.addDataSourceProperty("logServerErrorDetail", "false");
      config.setConnectionInitSql(
          PersistenceAdapterConfiguration.sessionSettings(persistenceLimits));
      var pool = new HikariDataSource(config);
      Flyway.configure().dataSource(pool).load().migrate();
      return pool;
    }

    @Bean(destroyMethod = "shutdown")
    ClientResources clientResources(RedisLimits limits) {
      return ClientResources.builder()
          .reconnectDelay(RedisAdapterConfiguration.reconnectDelay(limits))
          .build();
    }

    @Bean
    LettuceConnectionFactory redis(
        RigServers servers, RedisLimits limits, ClientResources resources) {
      return new LettuceConnectionFactory(
          new RedisStandaloneConfiguration(servers.redis().host(), servers.redis().port()),
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
    CachingConnectionFactory amqp(RigServers servers) {
      return connections(servers);
    }

    /**
     * The limits of the service, except for the queue names and listeners that do not start with
     * the context.
     */
    @Bean
    RabbitLimits rabbitLimits() {
      var service = RabbitLimits.defaults();
      return new RabbitLimits(
          PREFIX,
          false,
          service.recorders(),
          service.messageBytes(),
          service.batch(),
          service.batchWait(),
          service.prefetch(),
          service.callTime(),
          service.eventTime(),
          service.concurrentCalls(),
          service.deliveryLimit(),
          service.maxMessages(),
          service.maxDeadLetters(),
          service.failurePause(),
          service.maxFailurePause(),
          service.reconnectPause(),
          service.repairPause(),
          service.stopTime());
    }
  }
}
