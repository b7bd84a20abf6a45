package io.firstcome.benchmark.rig;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Settings of this JVM, to be applied before its first virtual thread starts. */
public final class ServiceLikeJvm {

  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
  private static final String AS_MANY_CARRIERS_AS_THE_SERVICE = "16";

  private ServiceLikeJvm() {}

  /**
   * Sets as many carriers of virtual threads as the service has, and turns logging off: libraries
   * log the kill of a server, and their lines would mix with the report.
   */
  public static void prepare() {
    if (System.getProperty(CARRIERS) == null) {
      System.setProperty(CARRIERS, AS_MANY_CARRIERS_AS_THE_SERVICE);
    }
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    Logger.getLogger("").setLevel(Level.OFF);
  }
}
