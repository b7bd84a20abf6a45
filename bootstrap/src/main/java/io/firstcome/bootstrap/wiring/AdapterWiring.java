package io.firstcome.bootstrap.wiring;

import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Takes in the adapter that every deployment has. */
@Configuration(proxyBeanMethods = false)
@Import(PersistenceAdapterConfiguration.class)
class AdapterWiring {}
