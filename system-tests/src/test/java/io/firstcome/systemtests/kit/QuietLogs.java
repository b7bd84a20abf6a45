package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Checks after all tests of a class that no instance has logged a user, a code or a secret. */
public final class QuietLogs implements AfterAllCallback {

  private static final int SHOWN_MAX = 5;

  @Override
  public void afterAll(ExtensionContext context) {
    World.allOpen().forEach(QuietLogs::assertQuiet);
  }

  static void assertQuiet(Deployment deployment) {
    assertThat(deployment.logs()).as("log files").isNotEmpty();
    assertThat(
            LogCanary.tellingLines(deployment.logs(), StoredCoupon.allCodes(deployment.postgres()))
                .stream()
                .limit(SHOWN_MAX))
        .as("log lines with confidential data")
        .isEmpty();
  }
}
