package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The secrets with which the gateway authenticates its requests. */
final class GatewaySecrets {

  static final int MIN_LENGTH = 32;

  private static final int MAX_NUMBER = 2;

  private final List<byte[]> secrets;
  private final boolean isLocal;

  /**
   * @param secrets none if there is no gateway
   * @param address on which the service listens, or null for all. On loopback a short secret is
   *     accepted, for development
   * @throws InvalidSettingException if there are more than two, or one is too short
   */
  GatewaySecrets(List<String> secrets, @Nullable InetAddress address) {
    if (secrets.size() > MAX_NUMBER) {
      throw new InvalidSettingException("firstcome.security.gateway-secrets must be at most two");
    }
    isLocal = address != null && address.isLoopbackAddress();
    if (secrets.stream().anyMatch(secret -> !isAcceptable(secret, isLocal))) {
      throw new InvalidSettingException(
          "firstcome.security.gateway-secrets must each have %d or more characters of printable"
                  .formatted(MIN_LENGTH)
              + " ASCII without space, unless server.address is loopback");
    }
    this.secrets =
        secrets.stream().map(secret -> secret.getBytes(StandardCharsets.US_ASCII)).toList();
  }

  /** Whether requests of the gateway come from another machine. */
  boolean areOfAnotherMachine() {
    return !isLocal && !isEmpty();
  }

  private static boolean isAcceptable(String secret, boolean isLocal) {
    return secret.chars().allMatch(c -> c > ' ' && c <= '~')
        && (isLocal ? !secret.isEmpty() : secret.length() >= MIN_LENGTH);
  }

  /** Whether there is a gateway. */
  boolean isEmpty() {
    return secrets.isEmpty();
  }

  /** Whether it is one of them; takes the same time wherever it differs. */
  boolean contains(String given) {
    byte[] bytes = given.getBytes(StandardCharsets.UTF_8);
    boolean found = false;
    for (byte[] secret : secrets) {
      found |= MessageDigest.isEqual(secret, bytes);
    }
    return found;
  }
}
