package io.firstcome.benchmark.bench.service;

import io.firstcome.adapter.redis.RedisLimits;
import io.firstcome.domain.port.HandoffLog;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Stops the work of relay and recorder in the service. Both keep running, since the service has no
 * switch for them, but find no entries: the hand-off log is replaced by one that returns none, and
 * its limit is high enough for every claim of a run.
 */
@Configuration(proxyBeanMethods = false)
public class StoppedRelayConfiguration {

  /** More entries than any run appends, even with one claim each. */
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
