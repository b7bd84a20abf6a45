package io.firstcome.bootstrap.rest.request;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the Prefer header. A preference that is not understood is ignored, as its RFC demands.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7240">RFC 7240, Prefer Header for HTTP</a>
 */
public final class Preferences {

  /** The longest time that a reply waits, whatever the client prefers. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private static final Pattern WAIT =
      Pattern.compile(
          "(?:^|,)\\s*wait\\s*=\\s*\"?(\\d{1,9})\"?\\s*(?=;|,|$)", Pattern.CASE_INSENSITIVE);

  private Preferences() {}

  /** How long the client prefers to wait for a final reply; zero if it does not state it. */
  public static Duration waitTime(List<String> prefer) {
    return waitTime(prefer, Duration.ZERO, LONGEST_WAIT);
  }

  /** The value of Preference-Applied of a reply that waited for at most that time. */
  public static String applied(Duration wait) {
    return "wait=" + wait.toSeconds();
  }

  /**
   * How long the client prefers to wait for a final reply.
   *
   * @param byDefault if it does not state it
   * @param longest the maximum, whatever it prefers
   */
  public static Duration waitTime(List<String> prefer, Duration byDefault, Duration longest) {
    if (prefer.isEmpty()) {
      return byDefault;
    }
    var matcher = WAIT.matcher(String.join(",", prefer));
    if (!matcher.find()) {
      return byDefault;
    }
    var wanted = Duration.ofSeconds(Long.parseLong(matcher.group(1)));
    return wanted.compareTo(longest) < 0 ? wanted : longest;
  }
}
