package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which proxies are trusted to name the addresses of clients. */
@Configuration(proxyBeanMethods = false)
class LoadConfiguration {

  private static final List<String> LOOPBACK = List.of("127.0.0.0/8", "::1");

  @Bean
  ClientAddresses clientAddresses(FirstcomeProperties properties) {
    var proxies = properties.proxies();
    return new ClientAddresses(proxies == null ? LOOPBACK : proxies);
  }
}
