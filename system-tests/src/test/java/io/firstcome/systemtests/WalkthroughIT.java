package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.DocumentedCall;
import io.firstcome.systemtests.kit.FirstcomeUp;
import io.firstcome.systemtests.kit.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The walkthrough of the documentation, run in a shell beside a running {@code up}. */
@Timeout(300)
class WalkthroughIT {

  private static final String HEADING = "## The life of a coupon";
  private static final String SERVICE = "http://127.0.0.1:8080";
  private static final int STEPS_AT_LEAST = 20;
  private static final Duration WALK_LIMIT = Duration.ofMinutes(2);

  /** For background work after an answer: a row is committed, an entry is removed from the log. */
  private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(10);

  @Test
  void every_command_is_answered_as_documented() throws Exception {
    var document = file("firstcome.launcher").resolveSibling("docs/walkthrough.md");
    var walk = DocumentedCall.read(Files.readString(document), HEADING);
    assertThat(walk).hasSizeGreaterThanOrEqualTo(STEPS_AT_LEAST);

    try (var up = FirstcomeUp.in("walkthrough");
        var shell =
            new Shell(file("firstcome.work").resolve("walkthrough/shell.err"), WALK_LIMIT)) {
      var url = "http://127.0.0.1:" + up.servicePort();
      for (var call : at(url, walk)) {
        take(call, shell);
      }
      assertThat(statuses(shell.run(commandsOfReadme().replace(SERVICE, url))))
          .containsExactly("201", "201", "200");
    }
  }

  /** The block of README.md that calls the service. */
  private static String commandsOfReadme() throws IOException {
    var readme = Files.readString(file("firstcome.launcher").resolveSibling("README.md"));
    int start = readme.indexOf("API=" + SERVICE);
    return readme.substring(start, readme.indexOf("```", start));
  }

  private static List<String> statuses(String printed) {
    return Pattern.compile("HTTP/1\\.1 (\\d{3})")
        .matcher(printed)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static Path file(String property) {
    return Path.of(System.getProperty(property));
  }

  /** Replaces the address of the service, which is in the first command only. */
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
          () -> difference(call, printed.get()),
          () -> {
            printed.set(shell.run(call.shell()));
            return call.isAnsweredBy(printed.get());
          });
    }
    assertThat(call.isAnsweredBy(printed.get())).as(difference(call, printed.get())).isTrue();
  }

  private static String difference(DocumentedCall call, String printed) {
    return "%s%nexpected answer:%n%d %s%nactual answer:%n%s"
        .formatted(call.shell(), call.status(), call.body(), printed);
  }
}
