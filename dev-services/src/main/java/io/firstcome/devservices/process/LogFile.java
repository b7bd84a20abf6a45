package io.firstcome.devservices.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The output of a child process; error messages quote its end. */
public record LogFile(Path file) {

  private static final int TAIL_BYTES_MAX = 4_000;

  /**
   * A longer log is renamed at the next start, replacing the one renamed before, so that disk usage
   * is bounded.
   */
  private static final long SIZE_BYTES_MAX = 10_000_000;

  public void rollOver() {
    try {
      if (Files.exists(file) && Files.size(file) > SIZE_BYTES_MAX) {
        Files.move(
            file,
            file.resolveSibling(file.getFileName() + ".before"),
            StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String tail() {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(0, log.length() - TAIL_BYTES_MAX);
      byte[] bytes = new byte[(int) (log.length() - from)];
      log.seek(from);
      log.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(no log: %s)".formatted(e.getMessage());
    }
  }
}
