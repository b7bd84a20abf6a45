package io.firstcome.systemtests;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.ClaimMessages;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.DeadLetterCalls;
import io.firstcome.systemtests.kit.FirstcomeUp;
import io.firstcome.systemtests.kit.NodePackage;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
  private static final Duration LIMIT = Duration.ofSeconds(60);

  static boolean aBrowserIsInstalled() {
    return (NodePackage.npmIsInstalled() && Files.isExecutable(CHROMIUM))
        || "true".equals(System.getenv("CI"));
  }

  @Test
  void pages_work_in_a_browser() throws Exception {
    NodePackage.client();
    var browser = NodePackage.of("system-tests/browser");
    browser.npm("ci");
    var letters = List.of(deadLetter(), deadLetter());
    try (var up = FirstcomeUp.in("pages")) {
      browser.npm(
          Map.of("FIRSTCOME_HOME", up.home().toString(), "DEAD_LETTERS", String.join(",", letters)),
          "test");
    }
  }

  /** Makes a dead letter with a claim of a coupon that does not exist, and returns its id. */
  private static String deadLetter() {
    var world = World.get();
    var couponId = CouponRequests.aCoupon().id();
    try (var messages = QueuedClaimMessages.at(world.amqp())) {
      messages.put(
          QueuedClaimMessages.QUEUE, ClaimMessages.authentic(world, couponId, Users.one()));
    }
    var letters = new DeadLetterCalls(world);
    Await.until(LIMIT, "a dead letter", () -> !letters.of(couponId).isEmpty());
    return couponId;
  }
}
