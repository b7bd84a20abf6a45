package io.firstcome.bootstrap.security;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.http.HttpServletRequest;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Authenticates requests that the service sends to itself, as its gateway does. */
@Component
public final class OwnGateway {

  private static final String HEADER = "X-Firstcome-Own";
  private static final int TOKEN_BYTES = 16;

  private final SecurityProperties properties;

  /** Known to this process alone. */
  private final String token;

  OwnGateway(SecurityProperties properties) {
    this.properties = properties;
    var random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    this.token = HexFormat.of().formatHex(random);
  }

  /** Whether the service can authenticate itself: a gateway has a secret. */
  public boolean isPossible() {
    return !properties.gatewaySecrets().isEmpty();
  }

  /** Headers by which the caller is that user; none if no gateway has a secret. */
  public Map<String, String> headers(UserId user) {
    return isPossible()
        ? Map.of(
            "X-Gateway-Secret",
            properties.gatewaySecrets().getFirst(),
            "X-User-Id",
            user.value(),
            HEADER,
            token)
        : Map.of();
  }

  /** Whether this process has sent the request: its users do not share an address. */
  public boolean hasSent(HttpServletRequest request) {
    var stated = request.getHeader(HEADER);
    return stated != null
        && MessageDigest.isEqual(stated.getBytes(US_ASCII), token.getBytes(US_ASCII));
  }
}
