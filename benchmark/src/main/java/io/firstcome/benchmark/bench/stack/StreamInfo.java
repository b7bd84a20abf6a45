package io.firstcome.benchmark.bench.stack;

import java.util.List;

/** Parses the reply to {@code XINFO STREAM}. */
final class StreamInfo {

  private StreamInfo() {}

  /**
   * The number of entries ever added, from the reply to {@code XINFO STREAM}: one element per line,
   * each name before its value.
   */
  static long entriesAdded(String reply) {
    List<String> lines = reply.lines().toList();
    int name = lines.indexOf("entries-added");
    if (name < 0 || name + 1 == lines.size()) {
      throw new IllegalStateException("Redis did not report entries-added");
    }
    return Long.parseLong(lines.get(name + 1));
  }
}
