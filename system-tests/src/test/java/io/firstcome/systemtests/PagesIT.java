package io.firstcome.systemtests;

import io.firstcome.systemtests.kit.FirstcomeUp;
import io.firstcome.systemtests.kit.NodePackage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The pages in Chromium, by the tests in the folder {@code browser} of this module. It needs
 * Node.js, npm and Chromium; where one is not installed, it is skipped. The test of a drop kills a
 * server, so it has a service of its own.
 */
@Tag("slow")
@EnabledIf("aBrowserIsInstalled")
@Timeout(1800)
class PagesIT {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

  static boolean aBrowserIsInstalled() {
    return (NodePackage.npmIsInstalled() && Files.isExecutable(CHROMIUM))
        || "true".equals(System.getenv("CI"));
  }

  @Test
  void pages_work_in_a_browser() throws Exception {
    NodePackage.client();
    var browser = NodePackage.of("system-tests/browser");
    browser.npm("ci");
    try (var up = FirstcomeUp.in("pages")) {
      browser.npm(Map.of("FIRSTCOME_HOME", up.home().toString()), "test");
    }
  }
}
