package io.firstcome.bootstrap.wiring;

import io.firstcome.application.HandoffUseCases;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.core.env.Environment;

/** Registers a bean for each use case that only a deployment with a hand-off has. */
final class HandoffUseCaseBeans implements BeanRegistrar {

  @Override
  public void register(BeanRegistry registry, Environment environment) {
    UseCaseBeans.registerAll(registry, HandoffUseCases.class);
  }
}
