package io.firstcome.systemtests.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maven in a process of its own, the same that runs these tests: builds the modules that some tests
 * need and runs those tests.
 */
final class Build {

  private static final Duration PATIENCE = Duration.ofMinutes(20);
  private static final Duration TIME_TO_STOP = Duration.ofSeconds(20);
  private static final String NONE = "NoTestOfThisName";

  private final Path sources;
  private final Path logs;

  /**
   * @param sources the root of the modules
   * @param logs the folder for what Maven says
   */
  Build(Path sources, Path logs) {
    this.sources = sources;
    this.logs = logs;
  }

  /**
   * Runs the tests, whatever becomes of them.
   *
   * @throws AssertionError if it does not come to that
   */
  TestReports run(String name, Collection<MeantTest> tests) throws InterruptedException {
    var modules = tests.stream().map(MeantTest::module).distinct().sorted().toList();
    TestReports.delete(sources, modules);
    var log = logs.resolve(name + ".log");
    try {
      Files.createDirectories(logs);
      var builder = new ProcessBuilder(command(tests, modules)).directory(sources.toFile());
      builder.environment().put("JAVA_HOME", property("firstcome.maven.java"));
      builder.environment().remove("MAVEN_ARGS");
      var maven = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      if (!maven.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        stop(maven);
        throw new AssertionError("no end within %s, see %s".formatted(PATIENCE, log));
      }
      if (maven.exitValue() != 0) {
        throw new AssertionError("the build fails, see %s%n%s".formatted(log, errors(log)));
      }
      return TestReports.read(sources, modules);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(Collection<MeantTest> tests, List<String> modules) {
    boolean hasIntegrationTests = tests.stream().anyMatch(MeantTest::isIntegrationTest);
    var command = new ArrayList<String>();
    command.add(Path.of(property("firstcome.maven.home"), "bin", "mvn").toString());
    // Offline: the build that runs these tests has resolved everything.
    command.addAll(List.of("-o", "-B", "-ntp", "-am", "-pl", String.join(",", modules)));
    if (tests.stream().anyMatch(MeantTest::isOfThisModule)) {
      command.add("-Pfaults");
    }
    command.add("-Dmaven.repo.local=" + property("firstcome.maven.repository"));
    command.add("-Dtest=" + filter(tests.stream().filter(test -> !test.isIntegrationTest())));
    command.add("-Dit.test=" + filter(tests.stream().filter(MeantTest::isIntegrationTest)));
    command.add("-Dsurefire.failIfNoSpecifiedTests=false");
    command.add("-Dfailsafe.failIfNoSpecifiedTests=false");
    // A red test is what is looked for; so the build fails only where something else is wrong.
    command.add("-Dmaven.test.failure.ignore=true");
    command.add("-Denforcer.skip=true");
    command.add("-Dmdep.analyze.skip=true");
    command.add("-Dspotless.check.skip=true");
    command.add(hasIntegrationTests ? "verify" : "test");
    return command;
  }

  private static String filter(Stream<MeantTest> tests) {
    var filter =
        tests
            .map(test -> test.testClass() + "#" + test.method())
            .distinct()
            .sorted()
            .collect(Collectors.joining(","));
    return filter.isEmpty() ? NONE : filter;
  }

  private static String property(String name) {
    return Objects.requireNonNull(
        System.getProperty(name), () -> name + " is set by the profile 'guards'");
  }

  /** Gently first, so that the tests' servers are ended by those who started them. */
  private static void stop(Process maven) throws InterruptedException {
    var all = Stream.concat(Stream.of(maven.toHandle()), maven.descendants()).toList();
    all.reversed().forEach(ProcessHandle::destroy);
    if (!maven.waitFor(TIME_TO_STOP.toSeconds(), TimeUnit.SECONDS)) {
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static String errors(Path log) throws IOException {
    try (var lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains("ERROR"))
          .limit(15)
          .collect(Collectors.joining("\n"));
    }
  }
}
