package io.firstcome.contracts.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The inputs of a target that are part of the sources: examples from which the fuzzer starts, and
 * inputs with which the target once failed.
 */
record KeptInputs(Path folder) {

  /** The kept inputs of a target of the module whose tests run in the current folder. */
  static KeptInputs of(FuzzTarget target) {
    return new KeptInputs(Path.of("src/test/resources/fuzz", target.name()).toAbsolutePath());
  }

  List<Path> files() {
    try (var files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
