package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.DocumentedCall;
import io.firstcome.systemtests.kit.FirstcomeUp;
import io.firstcome.systemtests.kit.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** README's walk through a coupon's life, pasted into a shell beside a running {@code up}. */
@Timeout(300)
class ReadmeWalkIT {

  private static final String HEADING = "## A coupon's life, with curl";
  private static final String SERVICE = "http://127.0.0.1:8080";
  private static final int STEPS_AT_LEAST = 20;
  private static final Duration WALK_LIMIT = Duration.ofMinutes(2);

  /** For what follows an answer in the background: a row, an entry that leaves the log. */
  private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(10);

  @Test
  void every_command_is_answered_as_the_readme_says() throws Exception {
    var readme = file("firstcome.launcher").resolveSibling("README.md");
    var walk = DocumentedCall.read(Files.readString(readme), HEADING);
    assertThat(walk).hasSizeGreaterThanOrEqualTo(STEPS_AT_LEAST);

    try (var up = FirstcomeUp.in("readme");
        var shell = new Shell(file("firstcome.work").resolve("readme/shell.err"), WALK_LIMIT)) {
      for (var call : at("http://127.0.0.1:" + up.servicePort(), walk)) {
        take(call, shell);
      }
    }
  }

  private static Path file(String property) {
    return Path.of(System.getProperty(property));
  }

  /** The address is all that is not taken as it stands, and it stands in one place. */
  private static List<DocumentedCall> at(String url, List<DocumentedCall> walk) {
    assertThat(walk).filteredOn(call -> call.shell().contains("http://")).hasSize(1);
    assertThat(walk.getFirst().shell()).containsOnlyOnce(SERVICE);
    return walk.stream()
        .map(call ->
            new DocumentedCall(call.shell().replace(SERVICE, url), call.status(), call.body()))
        .toList();
  }

  private static void take(DocumentedCall call, Shell shell) {
    var printed = new AtomicReference<>(shell.run(call.shell()));
    if (call.onlyReads() && !call.isAnsweredBy(printed.get())) {
      Await.until(
          CATCH_UP_LIMIT,
          () -> told(call, printed.get()),
          () -> {
            printed.set(shell.run(call.shell()));
            return call.isAnsweredBy(printed.get());
          });
    }
    assertThat(call.isAnsweredBy(printed.get())).as(told(call, printed.get())).isTrue();
  }

  private static String told(DocumentedCall call, String printed) {
    return "%s%nis to be answered%n%d %s%nand is%n%s"
        .formatted(call.shell(), call.status(), call.body(), printed);
  }
}
