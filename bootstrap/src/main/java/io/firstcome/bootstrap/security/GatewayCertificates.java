package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.Ssl.ClientAuth;
import org.springframework.boot.web.server.WebServerSslBundle;

/**
 * The subjects of the certificates with which gateways authenticate their connections. The server
 * verifies a certificate in the TLS handshake; here only its subject is compared, by {@link
 * X500Principal#equals}: all parts of the name in the same order, without regard to case and to
 * repeated spaces.
 */
final class GatewayCertificates {

  private static final String SETTING = "firstcome.security.gateway-certificates";

  /** The attribute of a request with the verified certificates of its client (Servlet 6.1). */
  private static final String OF_CLIENT = "jakarta.servlet.request.X509Certificate";

  private final Set<X500Principal> subjects;

  /**
   * @param subjects distinguished names (RFC 2253); none if no gateway has a certificate
   * @param ssl how the server uses TLS, or null if it does not
   * @throws InvalidSettingException if a subject is no name, or the server would not verify
   *     certificates of clients by authorities of the deployment
   */
  GatewayCertificates(List<String> subjects, @Nullable Ssl ssl, SslBundles bundles) {
    this.subjects =
        subjects.stream().map(GatewayCertificates::parsed).collect(Collectors.toUnmodifiableSet());
    if (!isEmpty()) {
      requireVerification(ssl, bundles);
    }
  }

  private static X500Principal parsed(String subject) {
    try {
      if (!subject.isBlank()) {
        return new X500Principal(subject);
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    throw new InvalidSettingException(
        "%s must be subjects such as CN=gateway,O=Example: %s".formatted(SETTING, subject));
  }

  private static void requireVerification(@Nullable Ssl ssl, SslBundles bundles) {
    if (ssl == null || !Ssl.isEnabled(ssl) || !isAsked(ssl.getClientAuth())) {
      throw new InvalidSettingException(
          SETTING + " needs TLS (server.ssl.bundle) with server.ssl.client-auth=need or want");
    }
    var ofOtherNames =
        ssl.getServerNameBundles().stream().map(other -> bundles.getBundle(other.bundle()));
    if (Stream.concat(Stream.of(WebServerSslBundle.get(ssl, bundles)), ofOtherNames)
        .anyMatch(GatewayCertificates::trustsEveryAuthority)) {
      throw new InvalidSettingException(
          SETTING
              + " needs a trust store in the server's SSL bundle with the authority of these"
              + " certificates; otherwise any public authority could issue them");
    }
  }

  private static boolean isAsked(@Nullable ClientAuth clientAuth) {
    return clientAuth == ClientAuth.NEED || clientAuth == ClientAuth.WANT;
  }

  /** Without a trust store, Java trusts the public authorities. */
  private static boolean trustsEveryAuthority(SslBundle bundle) {
    return bundle.getStores().getTrustStore() == null;
  }

  /** Whether no gateway has a certificate. */
  boolean isEmpty() {
    return subjects.isEmpty();
  }

  /** Whether the connection of the request was authenticated with a certificate of a gateway. */
  boolean authenticate(HttpServletRequest request) {
    return !isEmpty()
        && request.getAttribute(OF_CLIENT) instanceof X509Certificate[] chain
        && chain.length > 0
        && contains(chain[0].getSubjectX500Principal());
  }

  /** Whether it is the subject of a gateway. */
  boolean contains(X500Principal subject) {
    return subjects.contains(subject);
  }
}
