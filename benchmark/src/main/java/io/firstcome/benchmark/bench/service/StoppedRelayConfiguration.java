package io.firstcome.benchmark.bench.service;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.domain.port.HandoffLog;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Stops relay and recorder of the service it is added to. They go on running, as no switch in the
 * service turns them off, and find nothing: the log they read is replaced by one that gives no
 * entry, and its cap is raised so that it takes every claim of a run.
 */
@Configuration(proxyBeanMethods = false)
public class StoppedRelayConfiguration {

  /** At batches of one, more than any run claims. */
  private static final int LOG_CAP = 100_000_000;

  @Bean
  static BeanPostProcessor claimsStayInTheLog() {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessBeforeInitialization(Object bean, String name) {
        return bean instanceof RedisLimits limits ? limits.withLogCap(LOG_CAP) : bean;
      }

      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof HandoffLog log ? new UnreadLog(log) : bean;
      }
    };
  }
}
