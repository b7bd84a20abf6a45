package io.firstcome.systemtests.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An operation of the API: a row of the table in {@code docs/security.md}, which a test of the
 * service compares with its controllers.
 *
 * @param path with variables in braces
 * @param needed the scope, or {@code any user}
 */
public record Operation(String method, String path, String needed) {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z]+) (/api/[^`]*)` \\| `?([^|`]*)`? \\|$");

  /** All operations. */
  public static List<Operation> all() {
    try {
      return ROW.matcher(Files.readString(Path.of("../docs/security.md")))
          .results()
          .map(row -> new Operation(row.group(1), row.group(2), row.group(3)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
