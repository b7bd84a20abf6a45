package io.firstcome.bootstrap.rest.request;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How callers are authenticated.
 *
 * @param gatewaySecret the secret that authenticates the gateway, in gateway mode
 */
@ConfigurationProperties("firstcome.security")
record SecurityProperties(Mode mode, @DefaultValue("") String gatewaySecret) {

  /** Who authenticates callers. */
  enum Mode {
    /** This service, by bearer tokens. */
    JWT,
    /** A gateway in front of this service, which a secret authenticates. */
    GATEWAY
  }

  SecurityProperties {
    if (mode == Mode.JWT) {
      throw new IllegalArgumentException(
          "firstcome.security.mode=jwt is not available in this version; put the service behind a"
              + " gateway that authenticates, set firstcome.security.mode=gateway and"
              + " firstcome.security.gateway-secret");
    }
    if (gatewaySecret.isBlank()) {
      throw new IllegalArgumentException(
          "firstcome.security.gateway-secret must be set in gateway mode");
    }
  }
}
