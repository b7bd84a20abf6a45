package io.firstcome.systemtests.kit;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Users nobody has met before, whose names would be noticed in a log file. */
public final class Users {

  /** Part of every name, and of no other word. */
  static final String MARK = "quokka";

  private static final AtomicInteger GROUPS = new AtomicInteger();

  private Users() {}

  public static String one() {
    return some(1).getFirst();
  }

  public static List<String> some(int count) {
    int group = GROUPS.incrementAndGet();
    return IntStream.rangeClosed(1, count)
        .mapToObj(number -> "%s-%d.%05d@shop".formatted(MARK, group, number))
        .toList();
  }
}
