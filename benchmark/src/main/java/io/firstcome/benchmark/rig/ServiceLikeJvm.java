package io.firstcome.benchmark.rig;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Settings of this JVM, made before it starts its first virtual thread. */
public final class ServiceLikeJvm {

  private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";
  private static final String AS_MANY_CARRIERS_AS_THE_SERVICE = "16";

  private ServiceLikeJvm() {}

  /**
   * As many carriers for virtual threads as the service gives itself, and no word in the report
   * from libraries whose servers are being killed.
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
