package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Imports the adapter that every deployment has. */
@Configuration(proxyBeanMethods = false)
@Import(PersistenceAdapterConfiguration.class)
class AdapterWiring {

  @Bean
  PersistenceLimits persistenceLimits() {
    return PersistenceLimits.defaults();
  }
}
