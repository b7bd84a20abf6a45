package io.firstcome.contracts.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Parsers that must neither fail nor take long, whatever they read.
 *
 * <p>The inputs in {@code src/test/resources/fuzz/<target>} are parsed in every build. The fuzzer
 * starts from them, and adds each input with which a target fails. It searches for {@code
 * -Dfirstcome.fuzz.seconds} seconds for each target.
 */
public abstract class FuzzContract {

  private static final Duration SEARCH =
      Duration.ofSeconds(Long.getLong("firstcome.fuzz.seconds", 1));

  /** Far above the time of any input, also on a busy machine. */
  private static final Duration LONGEST_PARSING = Duration.ofSeconds(10);

  private final List<FuzzTarget> targets;

  protected FuzzContract(FuzzTarget... targets) {
    this.targets = List.of(targets);
  }

  @TestFactory
  Stream<DynamicTest> no_target_fails_with_a_kept_input() {
    return targets.stream().flatMap(FuzzContract::keptInputTests);
  }

  private static Stream<DynamicTest> keptInputTests(FuzzTarget target) {
    var inputs = KeptInputs.of(target).files();
    assertThat(inputs).as("kept inputs of %s", target.name()).isNotEmpty();
    return inputs.stream()
        .map(input ->
            dynamicTest(target.name() + " " + input.getFileName(), () -> parse(target, input)));
  }

  private static void parse(FuzzTarget target, Path input) throws Exception {
    byte[] content = Files.readAllBytes(input);
    assertTimeout(LONGEST_PARSING, () -> target.parser().parse(content));
  }

  @TestFactory
  Stream<DynamicTest> the_fuzzer_finds_no_input_with_which_a_target_fails() {
    return targets.stream()
        .map(target ->
            dynamicTest(target.name(), () -> new Fuzzer(target, SEARCH, LONGEST_PARSING).search()));
  }
}
