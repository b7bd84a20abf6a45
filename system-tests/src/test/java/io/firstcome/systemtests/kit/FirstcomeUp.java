package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running {@code ./firstcome up}, started through the script as a user does, with a folder and a
 * port of its own. It finds the processes only through {@code services.json}.
 */
public final class FirstcomeUp implements Deployment, AutoCloseable {

  private static final String READY = "Ready in";
  private static final Duration READY_LIMIT = Duration.ofSeconds(150);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(4);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(90);
  private static final Duration KILL_LIMIT = Duration.ofSeconds(10);

  private final Path folder;
  private final Path home;
  private final int port = Ports.free();
  private final RequestRecord record;
  private Launcher launcher;

  /**
   * The process that the script has started.
   *
   * @param leash a shell that ends the process when this JVM ends for any reason
   */
  private record Launcher(Process process, Process leash) {

    static Launcher start(ProcessBuilder command) throws IOException {
      Process process = command.start();
      String pid = Long.toString(process.pid());
      Launcher launcher =
          new Launcher(
              process,
              new ProcessBuilder("sh", "-c", "read -r line || kill \"$1\"", "leash", pid).start());
      var _ = process.onExit().thenRun(launcher::release);
      return launcher;
    }

    private void release() {
      try (var line = leash.getOutputStream()) {
        line.write('\n');
      } catch (IOException e) {
        // The shell has already ended.
      }
    }
  }

  private FirstcomeUp(Path folder) {
    this.folder = folder;
    this.home = folder.resolve("home");
    DevServices.endLeftOvers(home.resolve("servers"));
    ServiceProcess.endLeftOver(home);
    Folders.delete(folder);
    try {
      Files.createDirectories(home);
      forbidBuilding();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    record = new RequestRecord(folder.resolve("requests.tsv"));
    launcher = launch();
  }

  /** Starts it without earlier data, and waits until it is ready. */
  public static FirstcomeUp in(String name) {
    FirstcomeUp up = new FirstcomeUp(Path.of(World.property("firstcome.work")).resolve(name));
    try {
      up.awaitReady();
      return up;
    } catch (AssertionError e) {
      up.end();
      throw e;
    }
  }

  /** Other worlds use the jar: a script that finds it out of date must fail, not rebuild it. */
  private void forbidBuilding() throws IOException {
    Path mvn = Files.createDirectories(folder.resolve("bin")).resolve("mvn");
    Files.writeString(mvn, "#!/bin/sh\necho 'not in a test: build before it' >&2\nexit 1\n");
    if (!mvn.toFile().setExecutable(true)) {
      throw new IOException("cannot make %s executable".formatted(mvn));
    }
  }

  private Launcher launch() {
    try {
      return Launcher.start(script("up", "--port", Integer.toString(port)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ProcessBuilder script(String... words) {
    List<String> line = new ArrayList<>(List.of(World.property("firstcome.launcher")));
    line.addAll(List.of(words));
    ProcessBuilder script =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(output(words[0]).toFile());
    script
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    script.environment().put("FIRSTCOME_HOME", home.toString());
    script.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return script;
  }

  private Path output(String command) {
    return folder.resolve(command + ".out");
  }

  private String outputOf(String command) {
    try {
      return Files.readString(output(command));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitReady() {
    Process process = launcher.process();
    Await.until(
        READY_LIMIT,
        () -> "\"%s\" in the output of up: %s".formatted(READY, outputOf("up")),
        () -> !process.isAlive() || outputOf("up").contains(READY));
    assertThat(process.isAlive()).as(outputOf("up")).isTrue();
  }

  /**
   * What a command has printed, also to its standard error.
   *
   * @param exitStatus 0 for success
   */
  public record Output(int exitStatus, List<String> lines) {}

  /** Runs a command of the script beside this {@code up}; returns when it has ended. */
  public Output run(String... words) {
    try {
      Process command = script(words).start();
      Await.until(COMMAND_LIMIT, "the end of " + List.of(words), () -> !command.isAlive());
      return new Output(command.exitValue(), outputOf(words[0]).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs {@code ./firstcome restart} for that part; returns when it is done. */
  public void restart(String part) {
    Output output = run("restart", part);
    assertThat(output.exitStatus()).as("%s", output).isZero();
    assertThat(output.lines()).anyMatch(line -> line.startsWith(part + " restarted"));
  }

  /** Starts {@code ./firstcome up} again, on the data of the one that was killed. */
  public void startAgain() {
    launcher = launch();
    awaitReady();
  }

  /** The folder that {@code FIRSTCOME_HOME} names. */
  public Path home() {
    return home;
  }

  /** The process that {@code services.json} names for the part. */
  public ProcessHandle process(String part) {
    return ProcessHandle.of(services().at("/%s/pid".formatted(part)).asLong()).orElseThrow();
  }

  /** The launcher itself. */
  public ProcessHandle launcher() {
    return launcher.process().toHandle();
  }

  /** Sends SIGKILL to that process and no other; returns when it has ended. */
  public static void kill(ProcessHandle process) {
    assertThat(process.destroyForcibly()).as("there was a process to kill").isTrue();
    Await.until(KILL_LIMIT, "the end of process " + process.pid(), () -> !process.isAlive());
  }

  private JsonNode services() {
    return JsonMapper.shared().readTree(home.resolve("services.json").toFile());
  }

  @Override
  public PostgresServer postgres() {
    JsonNode postgres = services().path("postgres");
    return PostgresServer.at(
        postgres.path("host").asString(),
        postgres.path("port").asInt(),
        postgres.path("database").asString(),
        postgres.path("user").asString(),
        postgres.path("password").asString());
  }

  @Override
  public RedisServer redis() {
    JsonNode redis = services().path("redis");
    return RedisServer.at(redis.path("host").asString(), redis.path("port").asInt());
  }

  @Override
  public AmqpServer amqp() {
    JsonNode amqp = services().path("amqp");
    URI uri = URI.create(amqp.path("uri").asString());
    String[] user = uri.getUserInfo().split(":", 2);
    return AmqpServer.at(
        AmqpServer.Kind.valueOf(amqp.path("kind").asString().toUpperCase(Locale.ROOT)),
        uri.getHost(),
        uri.getPort(),
        user[0],
        user[1]);
  }

  @Override
  public int servicePort() {
    return port;
  }

  @Override
  public RequestRecord record() {
    return record;
  }

  @Override
  public List<Path> logs() {
    return List.of(home.resolve("service.log"));
  }

  /** Checks the log, then ends everything. */
  @Override
  public void close() {
    try {
      QuietLogs.assertQuiet(this);
    } finally {
      end();
    }
  }

  /**
   * Sends SIGTERM, on which the launcher stops its servers in order; processes that remain are
   * killed.
   */
  private void end() {
    record.close();
    launcher().destroy();
    try {
      Await.until(STOP_LIMIT, "the launcher has ended", () -> !launcher().isAlive());
    } finally {
      launcher().destroyForcibly();
      ServiceProcess.endLeftOver(home);
      DevServices.endLeftOvers(home.resolve("servers"));
    }
  }
}
