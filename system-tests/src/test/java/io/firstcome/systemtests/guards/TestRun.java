package io.firstcome.systemtests.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs some tests of one module in a separate JVM. */
final class TestRun {

  private static final Duration TIME_TO_STOP = Duration.ofSeconds(20);

  private final String module;
  private final Sources sources;
  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment = new HashMap<>();
  private @Nullable Overlay overlay;

  TestRun(String module, Sources sources) {
    this.module = module;
    this.sources = sources;
  }

  /** Adds the files that differ without a guard. */
  TestRun with(Overlay changed) {
    overlay = changed;
    return this;
  }

  TestRun withProperty(String name, String value) {
    options.add("-D%s=%s".formatted(name, value));
    return this;
  }

  TestRun withEnvironment(Map<String, String> added) {
    environment.putAll(added);
    return this;
  }

  /**
   * Runs the tests and returns all outcomes.
   *
   * @param log the output of the tests; the outcomes go to a file beside it
   * @param limit the time after which the JVM is ended
   */
  Map<MeantTest, Outcome> run(Collection<MeantTest> tests, Path log, Duration limit)
      throws InterruptedException {
    var results = log.resolveSibling(log.getFileName() + ".outcomes");
    try {
      Files.createDirectories(log.getParent());
      Files.deleteIfExists(results);
      var builder = new ProcessBuilder(command(tests, results));
      builder.directory(ModuleClasses.of(module).folder().toFile());
      builder.environment().putAll(environment);
      var process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      try {
        process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
      } finally {
        stop(process);
      }
      return outcomes(tests, results);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> command(Collection<MeantTest> tests, Path results) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-ea");
    // The JVM ends before C2 or a parallel collector would pay off.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-cp", ModuleClasses.joined(classPath())));
    command.add(NamedTests.class.getName());
    command.add(results.toString());
    tests.stream().map(this::name).forEach(command::add);
    return command;
  }

  /** The class path of this module comes last, for the launcher of the tests. */
  private List<Path> classPath() {
    var classPath =
        Stream.of(module, MeantTest.THIS_MODULE)
            .flatMap(each -> ModuleClasses.of(each).testClassPath().stream())
            .distinct()
            .toList();
    return overlay == null ? classPath : overlay.in(classPath);
  }

  private String name(MeantTest test) {
    var file = sources.of(test).path().toString();
    var testClass = file.substring(0, file.lastIndexOf('.')).replace('/', '.');
    return "%s#%s".formatted(testClass, test.method());
  }

  /** SIGTERM first, so that the JVM of the tests ends the servers that it has started. */
  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(TIME_TO_STOP.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  private Map<MeantTest, Outcome> outcomes(Collection<MeantTest> tests, Path results)
      throws IOException {
    var written = new Properties();
    if (Files.exists(results)) {
      try (var file = Files.newBufferedReader(results)) {
        written.load(file);
      }
    }
    return tests.stream()
        .distinct()
        .collect(Collectors.toMap(test -> test, test -> outcome(written.getProperty(name(test)))));
  }

  private static Outcome outcome(@Nullable String text) {
    if (text == null) {
      return new Outcome.NotRun();
    }
    return text.equals(NamedTests.GREEN) ? new Outcome.Green() : new Outcome.Red(text);
  }
}
