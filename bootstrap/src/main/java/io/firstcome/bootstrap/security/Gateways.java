package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

/**
 * Recognizes requests of gateways: by a secret in the request, or by the certificate of its
 * connection.
 */
final class Gateways {

  private final GatewaySecrets secrets;
  private final GatewayCertificates certificates;

  private Gateways(GatewaySecrets secrets, GatewayCertificates certificates) {
    this.secrets = secrets;
    this.certificates = certificates;
  }

  /**
   * The gateways of a deployment.
   *
   * @throws InvalidSettingException if their settings are unsafe or contradict each other
   */
  static Gateways of(
      SecurityProperties properties,
      ServerProperties server,
      FirstcomeProperties firstcome,
      SslBundles bundles) {
    var address = server.getAddress();
    boolean isLocal = address != null && address.isLoopbackAddress();
    var gateways =
        new Gateways(
            new GatewaySecrets(properties.gatewaySecrets(), isLocal),
            new GatewayCertificates(properties.gatewayCertificates(), server.getSsl(), bundles));
    if (!gateways.isEmpty() && !isLocal && firstcome.proxies() == null) {
      // Otherwise the requests of all its callers would count as those of one address.
      throw new InvalidSettingException(
          "firstcome.proxies must name the addresses of the gateway, unless server.address is"
              + " loopback");
    }
    return gateways;
  }

  /** Whether there is none. */
  boolean isEmpty() {
    return secrets.isEmpty() && certificates.isEmpty();
  }

  /**
   * Whether a gateway has sent the request. If the request has a secret, only the secret counts.
   *
   * @throws Problem if the secret is wrong
   */
  boolean haveSent(HttpServletRequest request) {
    var secret = request.getHeader("X-Gateway-Secret");
    if (secret == null) {
      return certificates.authenticate(request);
    }
    if (!secrets.contains(secret)) {
      throw Problem.unauthenticated("The request did not come through the gateway.");
    }
    return true;
  }
}
