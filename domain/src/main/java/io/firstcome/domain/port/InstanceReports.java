package io.firstcome.domain.port;

import io.firstcome.domain.instance.InstanceReport;
import io.firstcome.domain.instance.SeenInstance;
import java.time.Duration;
import java.util.List;

/** The latest report of each instance. Failures are {@link DatabaseUnavailableException}s. */
public interface InstanceReports {

  /** Stores the report in place of the instance's former one. */
  void store(InstanceReport report);

  /**
   * The instances that have reported lately, by name.
   *
   * @param age of the oldest report, by the clock of the database
   * @param max number of instances; those that have reported last are preferred
   */
  List<SeenInstance> latest(Duration age, int max);

  /**
   * Removes older reports.
   *
   * @param age of the oldest report that stays, by the clock of the database
   */
  void forget(Duration age);
}
