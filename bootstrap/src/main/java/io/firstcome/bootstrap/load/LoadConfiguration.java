package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Which proxies are trusted to name the addresses of clients. */
@Configuration(proxyBeanMethods = false)
class LoadConfiguration {

  private static final String FORWARDED = "server.forward-headers-strategy";
  private static final List<String> LOOPBACK = List.of("127.0.0.0/8", "::1");

  /**
   * @throws InvalidSettingException if the web server is to trust proxies too: it takes each
   *     private address for a proxy's, and then clients in a private network state any address
   */
  @Bean
  ClientAddresses clientAddresses(FirstcomeProperties properties, Environment environment) {
    var strategy = environment.getProperty(FORWARDED, "none");
    if (!strategy.equalsIgnoreCase("none")) {
      throw new InvalidSettingException(
          FORWARDED + " must not be set: firstcome.proxies names the proxies that are trusted");
    }
    var proxies = properties.proxies();
    return new ClientAddresses(proxies == null ? LOOPBACK : proxies);
  }
}
