package io.firstcome.benchmark.bench.stack;

import java.util.List;

/** What Redis says of a stream. */
final class StreamInfo {

  private StreamInfo() {}

  /** From the reply to {@code XINFO STREAM}, one element a line: names, each before its value. */
  static long entriesAdded(String reply) {
    List<String> lines = reply.lines().toList();
    int name = lines.indexOf("entries-added");
    if (name < 0 || name + 1 == lines.size()) {
      throw new IllegalStateException("Redis does not say how many entries were added");
    }
    return Long.parseLong(lines.get(name + 1));
  }
}
