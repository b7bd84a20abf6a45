package io.firstcome.application.webhook;

import io.firstcome.domain.port.WebhookDeliveries;
import java.time.Duration;

/** Removes deliveries that are too old, whatever their state is: this bounds log and backlog. */
public final class ForgetDeliveries {

  private static final int REMOVED_AT_ONCE = 1_000;

  private final WebhookDeliveries deliveries;
  private final Duration age;

  public ForgetDeliveries(WebhookDeliveries deliveries, WebhookLimits limits) {
    this.deliveries = deliveries;
    this.age = Duration.ofDays(limits.loggedDays());
  }

  /**
   * Removes some.
   *
   * @return whether there may be more
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database is not reachable
   */
  public boolean forget() {
    return deliveries.forget(age, REMOVED_AT_ONCE) == REMOVED_AT_ONCE;
  }
}
