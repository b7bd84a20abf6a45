package io.firstcome.benchmark.bench.service;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Adds a switch for the traces to the service, which has none while it runs. */
@Configuration(proxyBeanMethods = false)
@Import(TraceSwitchController.class)
public class SwitchedTracesConfiguration {

  @Bean
  static TraceSwitch traceSwitch() {
    return new TraceSwitch();
  }
}
