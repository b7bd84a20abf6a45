package io.firstcome.systemtests;

import io.firstcome.systemtests.kit.NodePackage;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The sample shop page in Chromium: keyboard, accessibility, two widths, light and dark. It needs
 * Node.js, npm and Chromium; where one is not installed, it is skipped.
 */
@EnabledIf("aBrowserIsInstalled")
@Timeout(300)
class ShopPageIT {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

  static boolean aBrowserIsInstalled() {
    return NodePackage.npmIsInstalled() && Files.isExecutable(CHROMIUM);
  }

  @Test
  void customers_get_coupons_on_the_page() throws Exception {
    NodePackage.client();
    var page = NodePackage.of("examples/shop-page");
    page.npm("ci");
    page.npm("test");
  }
}
