package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.World;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

  private static final Path CLIENT =
      Path.of(System.getProperty("firstcome.launcher")).resolveSibling("client/typescript");
  private static final long STEP_SECONDS = 120;

  static boolean npmIsInstalled() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "npm")));
  }

  @Test
  void it_compiles_passes_its_tests_and_walks_through_the_life_of_a_coupon() throws Exception {
    npm("ci");
    npm("run", "build");
    npm("test");
    assertThat(npm("run", "walk")).contains("every answer was as expected");
  }

  private static String npm(String... words) throws IOException, InterruptedException {
    var line = new ArrayList<>(List.of("npm"));
    line.addAll(List.of(words));
    var output =
        Files.createDirectories(Path.of(System.getProperty("firstcome.work")))
            .resolve("npm-" + words[words.length - 1] + ".log");
    var npm =
        new ProcessBuilder(line)
            .directory(CLIENT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    npm.environment().put("FIRSTCOME_URL", "http://127.0.0.1:" + World.get().servicePort());
    npm.environment().put("FIRSTCOME_GATEWAY_SECRET", ServiceProcess.GATEWAY_SECRET);
    var process = npm.start();
    try {
      assertThat(process.waitFor(STEP_SECONDS, TimeUnit.SECONDS)).as("%s in time", line).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    var printed = Files.readString(output);
    assertThat(process.exitValue()).as("status of %s, which printed%n%s", line, printed).isZero();
    return printed;
  }
}
