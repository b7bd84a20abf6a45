package io.firstcome.application.readiness;

import io.firstcome.domain.port.ServerUnavailableException;
import java.util.function.Supplier;

/**
 * One thing that is checked before a drop.
 *
 * @param look an exception counts as not ready
 */
public record ReadinessCheck(Subject subject, Supplier<Finding> look) {

  /** What is checked, in the order in which operators read it. */
  public enum Subject {
    SERVER_SETTINGS,
    CLOCKS,
    INSTANCES,
    PARTITIONS,
    HANDOFF_LOG,
    BROKER,
    LATE_CLAIMS,
    DEAD_LETTERS,
    EVENTS,
    MEMORY,
    NEXT_COUPONS,
    REHEARSAL
  }

  /** One check that fails does not keep the others from being shown. */
  Finding run() {
    try {
      return look.get();
    } catch (ServerUnavailableException e) {
      return Finding.notReady(
          "It could not be checked: " + e.getMessage() + ".",
          "Look whether the server runs and can be reached, and read the log of this instance.");
    } catch (RuntimeException e) {
      return Finding.notReady(
          "It could not be checked: " + e + ".", "Report this: it should not happen.");
    }
  }
}
