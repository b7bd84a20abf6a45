package io.firstcome.benchmark.bench.load;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The results that wrk prints.
 *
 * @param refused answers with a status other than 2xx and 3xx
 * @param broken connections that failed, and requests that timed out
 */
public record WrkOutput(long requests, double requestsPerSecond, long refused, long broken) {

  private static final Pattern REQUESTS = Pattern.compile("(?m)^\\s*(\\d+) requests in ");
  private static final Pattern RATE = Pattern.compile("(?m)^Requests/sec:\\s+([0-9.]+)");
  private static final Pattern REFUSED =
      Pattern.compile("(?m)^\\s*Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern BROKEN =
      Pattern.compile(
          "(?m)^\\s*Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

  /** Answers per second with a status of 2xx or 3xx. */
  public double successesPerSecond() {
    return requestsPerSecond * (requests - refused) / Math.max(1, requests);
  }

  /**
   * Parses the output.
   *
   * @throws IllegalStateException if it is not the output of a complete run
   */
  public static WrkOutput parse(String text) {
    return new WrkOutput(
        Long.parseLong(needed(REQUESTS, text)),
        Double.parseDouble(needed(RATE, text)),
        sum(REFUSED, text),
        sum(BROKEN, text));
  }

  private static String needed(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("not the output of wrk:\n" + text);
    }
    return found.group(1);
  }

  /** The sum of the numbers of a line, which wrk omits if they are 0. */
  private static long sum(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    long sum = 0;
    if (found.find()) {
      for (int group = 1; group <= found.groupCount(); group++) {
        sum += Long.parseLong(found.group(group));
      }
    }
    return sum;
  }
}
