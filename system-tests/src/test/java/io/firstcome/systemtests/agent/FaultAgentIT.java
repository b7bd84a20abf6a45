package io.firstcome.systemtests.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.agent.HaltPoint.Moment;
import io.firstcome.systemtests.agent.sample.Sample;
import io.firstcome.systemtests.kit.AgentJar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the agent in a separate JVM, which it halts. */
class FaultAgentIT {

  private static final Duration RUN_LIMIT = Duration.ofSeconds(30);
  private static final String ALL = "begin 1|in 1|end 1|begin 2|in 2|end 2|begin 3|in 3|end 3";

  @TempDir private Path folder;
  private Path marker;

  private record Run(int status, String output) {

    /** The steps of the sample on one line, without the times. */
    String steps() {
      return String.join("|", output.lines().filter(line -> line.matches("\\w+ \\d")).toList());
    }

    String value(String name) {
      return output
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .map(line -> line.substring(name.length() + 1))
          .findFirst()
          .orElseThrow();
    }
  }

  @BeforeEach
  void choose_the_marker_file() {
    marker = folder.resolve("marker");
  }

  @Test
  void a_jvm_is_halted_before_the_method_body_runs() {
    var run = run(haltAt("step", Moment.ENTER, 2));
    assertThat(run.steps()).isEqualTo("begin 1|in 1|end 1|begin 2");
    assertThat(run.status()).isEqualTo(Halt.STATUS);
  }

  @Test
  void a_jvm_is_halted_after_the_method_body_has_run() {
    var run = run(haltAt("step", Moment.EXIT, 1));
    assertThat(run.steps()).isEqualTo("begin 1|in 1");
    assertThat(run.status()).isEqualTo(Halt.STATUS);
  }

  @Test
  void every_return_of_a_method_is_an_exit() {
    assertThat(run(haltAt("step", Moment.EXIT, 3)).steps()).endsWith("end 2|begin 3|in 3");
  }

  @Test
  void a_halt_writes_its_point_and_time() throws IOException {
    var point = new HaltPoint(Sample.class.getName(), "step", Moment.ENTER, 1);
    long before = System.nanoTime();
    run(AgentArguments.haltAt(point, marker));
    var written = HaltMarker.parse(Files.readString(marker));
    assertThat(written.point()).isEqualTo(point);
    assertThat(written.nanos()).as("on this JVM's clock").isBetween(before, System.nanoTime());
  }

  @Test
  void a_program_that_was_halted_once_is_not_halted_again() {
    run(haltAt("step", Moment.ENTER, 1));
    var again = run(haltAt("step", Moment.ENTER, 1));
    assertThat(again.steps()).isEqualTo(ALL);
    assertThat(again.status()).isZero();
  }

  @Test
  void a_halt_point_that_is_not_reached_writes_no_marker() {
    var run = run(haltAt("step", Moment.ENTER, 4));
    assertThat(run.steps()).isEqualTo(ALL);
    assertThat(run.status()).isZero();
    assertThat(marker).doesNotExist();
  }

  @Test
  void a_missing_method_prevents_the_program_from_starting() {
    var run = run(haltAt("stepp", Moment.ENTER, 1));
    assertThat(run.status()).isNotZero();
    assertThat(run.steps()).isEmpty();
    assertThat(run.output()).contains("no method for the point", "#stepp@enter:1");
  }

  @Test
  void a_missing_class_prevents_the_program_from_starting() {
    var point = new HaltPoint("io.firstcome.Nowhere", "step", Moment.ENTER, 1);
    var run = run(AgentArguments.haltAt(point, marker));
    assertThat(run.status()).isNotZero();
    assertThat(run.steps()).isEmpty();
    assertThat(run.output()).contains("no class for the point", "io.firstcome.Nowhere");
  }

  @Test
  void a_clock_is_wrong_by_the_given_duration() {
    var run = run(AgentArguments.clockWrongBy(Duration.ofHours(-1)));
    assertThat(run.steps()).isEqualTo(ALL);
    for (var shown :
        new Instant[] {
          Instant.parse(run.value("now")), Instant.ofEpochMilli(Long.parseLong(run.value("millis")))
        }) {
      assertThat(Duration.between(shown, Instant.now()))
          .isBetween(Duration.ofHours(1), Duration.ofHours(1).plus(RUN_LIMIT));
    }
  }

  private AgentArguments haltAt(String method, Moment moment, int pass) {
    return AgentArguments.haltAt(
        new HaltPoint(Sample.class.getName(), method, moment, pass), marker);
  }

  private Run run(AgentArguments arguments) {
    var output = folder.resolve("output");
    try {
      var process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  AgentJar.in(folder).option(arguments),
                  "-cp",
                  classes(),
                  Sample.class.getName())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertThat(process.waitFor(RUN_LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      return new Run(process.exitValue(), Files.readString(output));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a sample runs", e);
    }
  }

  private static String classes() {
    return Path.of(Sample.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .toString();
  }
}
