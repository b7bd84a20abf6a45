package io.firstcome.contracts.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs Jazzer on one target, in a JVM of its own. Inputs that reach new code are written to {@code
 * target/fuzz/<target>/corpus}, and are where the next search starts, too.
 *
 * @param duration how long to search
 * @param longestParsing how long one input may take
 */
record Fuzzer(FuzzTarget target, Duration duration, Duration longestParsing) {

  /** The time that the JVM needs before and after the search. */
  private static final Duration OVERHEAD = Duration.ofMinutes(2);

  private static final int LONGEST_INPUT_BYTES = 4_096;
  private static final Pattern EXECUTIONS =
      Pattern.compile("stat::number_of_executed_units: ([0-9]+)");

  /** Asserts that no input was found with which the target fails. */
  void search() throws IOException, InterruptedException {
    var kept = KeptInputs.of(target);
    var work = Path.of("target/fuzz", target.name()).toAbsolutePath();
    var log = work.resolve("log");
    var corpus = Files.createDirectories(work.resolve("corpus"));
    int exit = run(words(kept.folder(), work, corpus), log);
    var output = Files.readString(log);
    assertThat(exit)
        .as(
            "%s fails with an input that was written to %s; run the test again after the"
                + " correction, and commit the input%n%s",
            target.name(), kept.folder(), output)
        .isZero();
    var executions = EXECUTIONS.matcher(output);
    assertThat(executions.find()).as(output).isTrue();
    assertThat(Long.parseLong(executions.group(1)))
        .as("inputs tried with %s", target.name())
        .isGreaterThan(kept.files().size());
  }

  private List<String> words(Path kept, Path work, Path corpus) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx512m",
        // The search of a build is too short for the C2 compiler to pay off.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:+EnableDynamicAgentLoading",
        "-Djdk.attach.allowAttachSelf=true",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("java.class.path"),
        FuzzerMain.class.getName(),
        "--target_class=" + target.type().getName(),
        "--instrumentation_includes=io.firstcome.**:tools.jackson.core.**",
        "--custom_hook_includes=io.firstcome.**",
        "--reproducer_path=" + work,
        "-artifact_prefix=" + kept + File.separator,
        "-max_total_time=" + duration.toSeconds(),
        "-timeout=" + longestParsing.toSeconds(),
        "-max_len=" + LONGEST_INPUT_BYTES,
        "-print_final_stats=1",
        corpus.toString(),
        kept.toString());
  }

  private int run(List<String> words, Path log) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    var end = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(end);
    try {
      boolean ended = process.waitFor(duration.plus(OVERHEAD).toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as("the fuzzer has ended; its output is in %s", log).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(end);
    }
  }
}
