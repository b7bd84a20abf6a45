package io.firstcome.benchmark.bench.stack;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The section {@code memory} of Redis' {@code INFO}. */
public final class MemoryInfo {

  private static final Pattern USED = Pattern.compile("(?m)^used_memory:(\\d+)");

  private MemoryInfo() {}

  /** The bytes that Redis has allocated. */
  public static long usedBytes(String info) {
    Matcher used = USED.matcher(info);
    if (!used.find()) {
      throw new IllegalStateException("Redis did not report used_memory");
    }
    return Long.parseLong(used.group(1));
  }
}
