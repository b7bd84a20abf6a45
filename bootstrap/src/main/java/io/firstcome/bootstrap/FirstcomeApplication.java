package io.firstcome.bootstrap;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class FirstcomeApplication {

  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
  private static final int MIN_CARRIERS = 16;

  /** Starts the service; its configuration is in the environment and in application.yaml. */
  public static void main(String[] args) {
    giveVirtualThreadsEnoughCarriers();
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    try {
      SpringApplication.run(FirstcomeApplication.class, args);
    } catch (RuntimeException e) {
      // The failure is logged. The broker's client keeps idle threads for a minute, which must not
      // delay the end of the process.
      System.exit(1);
    }
  }

  /**
   * A virtual thread that loads a class keeps its carrier while it waits for a lock, and the next
   * owner of the lock may be a virtual thread without a carrier. With as few carriers as a small
   * machine has processors, two concurrent class loads can block all requests for ever.
   */
  private static void giveVirtualThreadsEnoughCarriers() {
    if (System.getProperty(CARRIERS) == null) {
      int carriers = Math.max(MIN_CARRIERS, Runtime.getRuntime().availableProcessors());
      System.setProperty(CARRIERS, Integer.toString(carriers));
    }
  }
}
