package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.rabbitmq.EventFormatAdapterConfiguration;
import io.firstcome.application.webhook.WebhookLimits;
import io.firstcome.application.webhook.WebhookPorts;
import io.firstcome.application.webhook.WebhookUseCases;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.EventOutbox;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The beans of webhooks, which every deployment has. */
@Configuration(proxyBeanMethods = false)
@Import({
  EventFormatAdapterConfiguration.class,
  WebhookPorts.class,
  WebhookWiring.UseCaseBeansOfWebhooks.class
})
class WebhookWiring {

  /** Registers a bean for each use case of webhooks. */
  static final class UseCaseBeansOfWebhooks implements BeanRegistrar {

    @Override
    public void register(BeanRegistry registry, Environment environment) {
      UseCaseBeans.registerAll(registry, WebhookUseCases.class);
    }
  }

  @Bean
  WebhookLimits webhookLimits(LimitsWiring.Limits limits) {
    return limits.webhooks();
  }

  /**
   * Platform threads, as the look-up of a name would block a carrier of virtual threads; few, since
   * the requests to each webhook are bounded.
   */
  @Bean(destroyMethod = "shutdownNow")
  ExecutorService webhookExecutor() {
    return Executors.newCachedThreadPool(
        Thread.ofPlatform().daemon().name("webhook-", 0).factory());
  }

  @Bean
  WebhookUseCases webhookUseCases(
      WebhookPorts ports,
      EventOutbox outbox,
      FirstcomeProperties properties,
      WebhookLimits limits,
      InstantSource clock,
      @Qualifier("webhookExecutor") ExecutorService webhookExecutor,
      IssuanceObserver observer) {
    return new WebhookUseCases(
        ports,
        outbox,
        properties.stock() == StockBackend.REDIS,
        limits,
        clock,
        webhookExecutor,
        observer);
  }
}
