package io.firstcome.benchmark.bench.stack;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The section {@code commandstats} of the reply to {@code INFO} of Redis. */
final class CommandStats {

  private CommandStats() {}

  /** How often the command was called, in lower case; 0 if never. */
  static long calls(String info, String command) {
    Matcher line =
        Pattern.compile("(?m)^cmdstat_%s:calls=(\\d+)".formatted(Pattern.quote(command)))
            .matcher(info);
    return line.find() ? Long.parseLong(line.group(1)) : 0;
  }
}
