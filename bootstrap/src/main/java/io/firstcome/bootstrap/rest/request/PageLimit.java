package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.problem.Problem;

/** Reads how many items a page may have. */
public final class PageLimit {

  /** The limit if the request has none. */
  public static final String DEFAULT = "20";

  private static final int MAX = 100;

  private PageLimit() {}

  public static int parse(String text) {
    try {
      long limit = WholeNumber.parse(text);
      if (limit >= 1 && limit <= MAX) {
        return Math.toIntExact(limit);
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number out of range.
    }
    throw Problem.malformed("limit must be a number from 1 to " + MAX + ".");
  }
}
