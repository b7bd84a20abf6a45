package io.firstcome.bootstrap;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class FirstcomeApplication {

  /** Starts the service; its configuration is in the environment and in application.yaml. */
  public static void main(String[] args) {
    SpringApplication.run(FirstcomeApplication.class, args);
  }
}
