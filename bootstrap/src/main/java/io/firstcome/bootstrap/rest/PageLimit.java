package io.firstcome.bootstrap.rest;

/** Reads how many items a page may have. */
final class PageLimit {

  /** Where the call does not say. */
  static final String DEFAULT = "20";

  private static final int MAX = 100;

  private PageLimit() {}

  static int parse(String text) {
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= MAX) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // The same as a number that is not allowed.
    }
    throw Problem.malformed("limit must be a number from 1 to " + MAX + ".");
  }
}
