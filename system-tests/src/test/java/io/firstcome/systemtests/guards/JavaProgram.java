package io.firstcome.systemtests.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of the JDK of this JVM. */
final class JavaProgram {

  private JavaProgram() {}

  /** Runs {@code java} with these arguments until it ends. */
  static void run(String... arguments) throws InterruptedException {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of(arguments));
    try {
      if (new ProcessBuilder(words).inheritIO().start().waitFor() != 0) {
        throw new IllegalStateException("failed: " + words);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
