package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.NodePackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The tests of the TypeScript client, and the life of a coupon through it. It needs Node.js, and
 * npm downloads the compiler; where they are not installed, it is skipped.
 */
@EnabledIf("npmIsInstalled")
@Timeout(300)
class TypeScriptClientIT {

  static boolean npmIsInstalled() {
    return NodePackage.npmIsInstalled() || "true".equals(System.getenv("CI"));
  }

  @Test
  void it_compiles_passes_its_tests_and_walks_through_the_life_of_a_coupon() throws Exception {
    var client = NodePackage.client();
    client.npm("test");
    assertThat(client.npm("run", "walk")).contains("every answer was as expected");
  }
}
