package io.firstcome.systemtests.kit;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** New user ids, which can be recognized in a log file. */
public final class Users {

  /** Part of every user id, and of no other text. */
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
