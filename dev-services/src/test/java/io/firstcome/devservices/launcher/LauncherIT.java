package io.firstcome.devservices.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.process.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LauncherIT {

  private static final String READY = "Ready in";

  @TempDir Path folder;

  /** The launcher on the stub, as {@code ./firstcome} would start it. */
  static final class Program {

    private Program() {}

    public static void main(String[] arguments) {
      Home home = new Home(Path.of(System.getenv("TEST_HOME")), Path.of(System.getenv("TEST_JAR")));
      System.exit(Launcher.commandLine(home, new Terminal(System.out, false)).execute(arguments));
    }
  }

  @Test
  void a_demo_ends_with_its_result_and_proves_it_from_the_database() throws Exception {
    Process demo = launch("demo", "--stock", "20", "--users", "700");
    List<String> lines = demo.inputReader(UTF_8).readAllLines();
    assertThat(demo.waitFor()).as(String.join("\n", lines)).isZero();
    JsonNode result = JsonMapper.shared().readTree(lines.getLast());
    assertThat(result.get("accepted").asInt()).isEqualTo(20);
    assertThat(result.get("soldOut").asInt()).isEqualTo(680);
    assertThat(result.get("distinctUsers").asInt()).isEqualTo(20);
    assertThat(lines).anyMatch(line -> line.strip().equals("EXACT"));
  }

  @Test
  void up_can_be_looked_at_restarted_in_parts_and_stopped_without_a_trace() throws Exception {
    int port = Ports.free();
    Process up = launch("up", "--port", Integer.toString(port));
    try (BufferedReader lines = up.inputReader(UTF_8)) {
      awaitLine(lines, READY);
      assertThat(folder.resolve(StubService.FIRST_PROBE))
          .as("services.json when the service answered its first probe")
          .hasContent("true");
      JsonNode services = servicesJson();
      assertThat(services.propertyNames()).containsExactly("service", "postgres", "redis", "amqp");
      assertThat(services.at("/service/url").asString()).isEqualTo("http://127.0.0.1:" + port);
      assertThat(services.at("/amqp/kind").asString()).isEqualTo("qpid");

      Process second = launch("demo");
      assertThat(second.waitFor()).isEqualTo(1);
      assertThat(second.errorReader(UTF_8).readAllLines()).anyMatch(l -> l.contains("another"));

      ProcessHandle redis = process(services, "redis");
      redis.destroyForcibly();
      awaitLine(lines, "redis has ended");
      Process restart = launch("restart", "redis");
      assertThat(restart.inputReader(UTF_8).readAllLines())
          .anyMatch(line -> line.startsWith("redis restarted"));
      assertThat(restart.waitFor()).isZero();
      JsonNode after = servicesJson();
      assertThat(after.at("/redis/pid").asLong()).isNotEqualTo(redis.pid());
      assertThat(after.at("/redis/port")).isEqualTo(services.at("/redis/port"));

      long before = process(services, "service").pid();
      Process service = launch("restart", "service");
      assertThat(service.waitFor()).isZero();
      assertThat(servicesJson().at("/service/pid").asLong()).isNotEqualTo(before);
      List<ProcessHandle> all =
          Stream.of("service", "postgres", "redis", "amqp")
              .map(name -> process(servicesJson(), name))
              .toList();
      up.toHandle().destroy();
      awaitLine(lines, "Stopping");
      assertThat(up.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(up.exitValue()).isEqualTo(143);
      assertThat(all).noneMatch(ProcessHandle::isAlive);
      assertThat(folder.resolve("home/services.json")).doesNotExist();
    }
  }

  @Test
  void a_folder_that_cannot_be_written_is_reported_in_one_line() throws Exception {
    Files.writeString(folder.resolve("home"), "a file");
    Process demo = launch("demo");
    assertThat(demo.errorReader(UTF_8).readAllLines())
        .singleElement()
        .asString()
        .startsWith("firstcome: cannot write to " + folder.resolve("home"));
    assertThat(demo.waitFor()).isEqualTo(1);
  }

  private Process launch(String... words) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
    line.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().put("TEST_HOME", folder.resolve("home").toString());
    builder.environment().put("TEST_JAR", StubService.jar(folder).toString());
    builder.environment().put("FIRSTCOME_AMQP", "qpid");
    return builder.start();
  }

  private JsonNode servicesJson() {
    return JsonMapper.shared().readTree(folder.resolve("home/services.json").toFile());
  }

  private static ProcessHandle process(JsonNode services, String name) {
    return ProcessHandle.of(services.get(name).get("pid").asLong()).orElseThrow();
  }

  private static void awaitLine(BufferedReader lines, String part) throws IOException {
    List<String> seen = new ArrayList<>();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.add(line);
      if (line.contains(part)) {
        return;
      }
    }
    throw new AssertionError("no line with '%s' among %s".formatted(part, seen));
  }
}
