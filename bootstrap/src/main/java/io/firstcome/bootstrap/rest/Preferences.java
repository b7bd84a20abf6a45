package io.firstcome.bootstrap.rest;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the Prefer header. A preference that is not understood is ignored, as its RFC demands.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7240">RFC 7240, Prefer Header for HTTP</a>
 */
final class Preferences {

  /** The longest an answer is held back, whatever a client prefers. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private static final Pattern WAIT =
      Pattern.compile(
          "(?:^|,)\\s*wait\\s*=\\s*\"?(\\d{1,9})\"?\\s*(?=;|,|$)", Pattern.CASE_INSENSITIVE);

  private Preferences() {}

  /** How long the client would wait for a final answer; zero if it does not say. */
  static Duration waitTime(List<String> prefer) {
    return waitTime(prefer, Duration.ZERO, LONGEST_WAIT);
  }

  /**
   * How long the client would wait for a final answer.
   *
   * @param unsaid if it does not say
   * @param longest whatever it prefers
   */
  static Duration waitTime(List<String> prefer, Duration unsaid, Duration longest) {
    if (prefer.isEmpty()) {
      return unsaid;
    }
    var matcher = WAIT.matcher(String.join(",", prefer));
    if (!matcher.find()) {
      return unsaid;
    }
    var wanted = Duration.ofSeconds(Long.parseLong(matcher.group(1)));
    return wanted.compareTo(longest) < 0 ? wanted : longest;
  }
}
