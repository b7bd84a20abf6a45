package io.firstcome.benchmark.bench.service;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The no-op, and strategies of the lab, without anything that the service has around a claim:
 * Spring MVC on virtual threads, without security, limits, filters, metrics and strict JSON. Tomcat
 * and threads are set as in the service, since its application.yaml is read; it runs on the
 * libraries in the service's jar.
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

  /** Starts it at the port that the environment names. */
  public static void main(String[] arguments) {
    SpringApplication.run(BareApplication.class, arguments);
  }

  /** Where whoever started it asks whether it is up, as with the service. */
  @Bean
  RouterFunction<ServerResponse> readiness() {
    return RouterFunctions.route()
        .GET("/actuator/health/{group}", request -> ServerResponse.status(HttpStatus.OK).build())
        .build();
  }
}
