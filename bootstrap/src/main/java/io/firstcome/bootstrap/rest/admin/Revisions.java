package io.firstcome.bootstrap.rest.admin;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The revision that an edit requires, in the header {@code If-Match}. The answers have it as a
 * member and not as their entity tag: they also have counts, which change without a revision.
 */
public final class Revisions {

  private static final Pattern QUOTED = Pattern.compile("\"([1-9][0-9]*)\"");

  private static final int MAX_DIGITS = 9;

  private Revisions() {}

  /**
   * The revision that a request requires.
   *
   * @param ifMatch the header, or null if there is none
   * @param what has the revision, such as "coupon"
   * @throws Problem {@code precondition-required} if there is none, {@code malformed-request} if it
   *     is not one revision in quotes
   */
  public static int required(@Nullable String ifMatch, String what) {
    if (ifMatch == null) {
      throw Problem.of(
          ProblemType.PRECONDITION_REQUIRED,
          "The request needs the header If-Match with the revision of the %s in quotes; nothing"
                  .formatted(what)
              + " happened.");
    }
    var revision = QUOTED.matcher(ifMatch.strip());
    if (!revision.matches()) {
      throw Problem.malformed(
          "If-Match must be the revision of the %s in quotes, such as \"3\".".formatted(what));
    }
    var digits = revision.group(1);
    // Nothing has such a high revision.
    return digits.length() > MAX_DIGITS ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }
}
