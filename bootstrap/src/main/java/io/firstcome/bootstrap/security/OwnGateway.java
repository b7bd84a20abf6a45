package io.firstcome.bootstrap.security;

import io.firstcome.domain.issuance.UserId;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Authenticates requests that the service sends to itself, as its gateway does. */
@Component
public final class OwnGateway {

  private final SecurityProperties properties;

  OwnGateway(SecurityProperties properties) {
    this.properties = properties;
  }

  /** Headers by which the caller is that user; none if no gateway has a secret. */
  public Map<String, String> headers(UserId user) {
    var secrets = properties.gatewaySecrets();
    return secrets.isEmpty()
        ? Map.of()
        : Map.of("X-Gateway-Secret", secrets.getFirst(), "X-User-Id", user.value());
  }
}
