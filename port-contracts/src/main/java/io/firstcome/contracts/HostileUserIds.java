package io.firstcome.contracts;

import io.firstcome.domain.issuance.UserId;
import java.util.List;

/** User ids that look like what surrounds them in a key, a log entry, a message or a statement. */
public final class HostileUserIds {

  /** Each contains its number, so that all differ. */
  private static final List<String> FORMS =
      List.of(
          "%d",
          "-%d",
          "auth0|%d",
          "f:7c1e:%d",
          "a,%d:bob",
          "1:a,2:%d",
          "\"%d\"",
          "'%d'--",
          "{%d}",
          "{\"userId\":%d}",
          "\\%d\\",
          "$%d",
          "*%d?",
          "NULL%d",
          "{%d,NULL}",
          "%%s%%00%d",
          "A%d",
          "a%d",
          "~".repeat(100) + "%d");

  private HostileUserIds() {}

  /** The id with that number, from 0; different for each number. */
  public static UserId of(int number) {
    return new UserId(FORMS.get(number % FORMS.size()).formatted(number));
  }
}
