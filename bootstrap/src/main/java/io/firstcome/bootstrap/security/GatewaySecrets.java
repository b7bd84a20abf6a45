package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/** The secrets with which the gateway authenticates its requests. */
final class GatewaySecrets {

  static final int MIN_LENGTH = 32;

  private static final int MAX_NUMBER = 2;

  private final List<byte[]> secrets;

  /**
   * @param secrets none if there is no gateway
   * @param isLocal whether the service listens on loopback only. A short secret is then accepted,
   *     for development
   * @throws InvalidSettingException if there are more than two, or one is too short
   */
  GatewaySecrets(List<String> secrets, boolean isLocal) {
    if (secrets.size() > MAX_NUMBER) {
      throw new InvalidSettingException("firstcome.security.gateway-secrets must be at most two");
    }
    if (secrets.stream().anyMatch(secret -> !isAcceptable(secret, isLocal))) {
      throw new InvalidSettingException(
          "firstcome.security.gateway-secrets must each have %d or more characters of printable"
                  .formatted(MIN_LENGTH)
              + " ASCII without space, unless server.address is loopback");
    }
    this.secrets =
        secrets.stream().map(secret -> secret.getBytes(StandardCharsets.US_ASCII)).toList();
  }

  private static boolean isAcceptable(String secret, boolean isLocal) {
    return secret.chars().allMatch(c -> c > ' ' && c <= '~')
        && (isLocal ? !secret.isEmpty() : secret.length() >= MIN_LENGTH);
  }

  /** Whether no gateway has a secret. */
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
