package io.firstcome.benchmark.bench.service;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Adds the no-op to the service, under a path that its security protects. The service loads it
 * through {@code spring.main.sources}, so no production code refers to it.
 */
@Configuration(proxyBeanMethods = false)
@Import(NoOpController.class)
public class NoOpConfiguration {}
