package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.security.SignInLimit;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/**
 * Limits the attempts to sign in with a password, by address and name and by address alone: so
 * passwords cannot be tried out, and who fails with one name does not lock out the others behind
 * the same proxy.
 */
@Component
class SignInAttempts implements SignInLimit {

  private static final int MOST_OF_NAME = 20;
  private static final int MOST_OF_ADDRESS = 100;
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int MOST_COUNTED = 50_000;
  private static final int NAME_LENGTH = 100;

  private final ClientAddresses addresses;
  private final TokenBuckets byName =
      new TokenBuckets("sign-in", MOST_OF_NAME, WINDOW, MOST_COUNTED);
  private final TokenBuckets byAddress =
      new TokenBuckets("sign-in-address", MOST_OF_ADDRESS, WINDOW, MOST_COUNTED);

  SignInAttempts(ClientAddresses addresses) {
    this.addresses = addresses;
  }

  /** A proxy that sends a request of its own, as on a developer's machine, is not limited. */
  @Override
  public boolean allows(HttpServletRequest request, String name) {
    // As it is compared: in any case, and without what Spring Security's filter trims.
    var trimmed = name.trim().toLowerCase(Locale.ROOT);
    var stated = trimmed.substring(0, Math.min(NAME_LENGTH, trimmed.length()));
    return addresses.find(request).stream()
        .flatMap(
            address -> Stream.of(byAddress.count(address), byName.count(address + " " + stated)))
        .noneMatch(Quota::isExceeded);
  }
}
