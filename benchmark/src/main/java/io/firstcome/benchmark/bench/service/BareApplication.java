package io.firstcome.benchmark.bench.service;

import java.net.InetAddress;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The bare server: the no-op and the strategies of the lab on Spring MVC with virtual threads,
 * without the security, limits, filters, metrics and strict JSON of the service. Tomcat and threads
 * are configured as in the service, since its application.yaml is read; the libraries are those in
 * the service's jar.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  TomcatServletWebServerAutoConfiguration.class,
  DispatcherServletAutoConfiguration.class,
  WebMvcAutoConfiguration.class,
  HttpMessageConvertersAutoConfiguration.class,
  JacksonAutoConfiguration.class
})
@Import({NoOpController.class, StrategyController.class})
public class BareApplication {

  /** Starts the server at the port that the environment sets. */
  public static void main(String[] arguments) {
    SpringApplication.run(BareApplication.class, arguments);
  }

  /** The probes are sent to another port, as in the service. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> managementPort(
      Environment environment) {
    return factory -> {
      var connector = new Connector();
      connector.setPort(environment.getRequiredProperty("management.server.port", Integer.class));
      if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
        protocol.setAddress(
            InetAddress.ofLiteral(environment.getRequiredProperty("management.server.address")));
      }
      factory.addAdditionalConnectors(connector);
    };
  }

  /** The readiness probe, at the same path as in the service. */
  @Bean
  RouterFunction<ServerResponse> readiness() {
    return RouterFunctions.route()
        .GET("/actuator/health/{group}", request -> ServerResponse.status(HttpStatus.OK).build())
        .build();
  }
}
