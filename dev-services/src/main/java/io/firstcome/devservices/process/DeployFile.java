package io.firstcome.devservices.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Reads the files that operators use, so that tests run with what they recommend. */
public final class DeployFile {

  private DeployFile() {}

  /** The content of the file in the folder {@code deploy}. */
  public static String read(String name) {
    try (var in = DeployFile.class.getResourceAsStream("/deploy/" + name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: deploy/" + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
