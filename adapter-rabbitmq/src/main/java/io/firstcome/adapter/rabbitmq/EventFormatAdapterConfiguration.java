package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.EventFormat;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The format of events, which is the same without a broker. */
@Configuration(proxyBeanMethods = false)
public class EventFormatAdapterConfiguration {

  @Bean
  EventFormat eventFormat() {
    return new CloudEventFormat(new RabbitNames(RabbitLimits.defaults().prefix()));
  }
}
