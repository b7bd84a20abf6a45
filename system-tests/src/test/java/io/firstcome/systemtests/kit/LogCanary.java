package io.firstcome.systemtests.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Searches log files for data that must not be logged: user ids, codes and the header with the
 * gateway's secret.
 */
final class LogCanary {

  private static final Pattern LIKE_A_CODE = Pattern.compile("[0-9A-Z]{16}");
  private static final String SECRET_HEADER = "X-Gateway-Secret";

  private LogCanary() {}

  /**
   * The lines with such data.
   *
   * @param codes of all user coupons
   */
  static List<String> tellingLines(List<Path> logs, Set<String> codes) {
    List<String> found = new ArrayList<>();
    for (Path log : logs) {
      try {
        for (String line : Files.readAllLines(log)) {
          if (line.contains(Users.MARK) || line.contains(SECRET_HEADER) || holds(line, codes)) {
            found.add(line);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return found;
  }

  private static boolean holds(String line, Set<String> codes) {
    Matcher matcher = LIKE_A_CODE.matcher(line);
    // From every position, not only after the last match: a code may follow other letters.
    for (int from = 0; matcher.find(from); from = matcher.start() + 1) {
      if (codes.contains(matcher.group())) {
        return true;
      }
    }
    return false;
  }
}
