package io.firstcome.benchmark.bench.service;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Adds the no-op to the service, under the path that its security guards. The service is told by
 * {@code spring.main.sources} to take it in, which no production code has to know.
 */
@Configuration(proxyBeanMethods = false)
@Import(NoOpController.class)
public class NoOpConfiguration {}
