package io.firstcome.bootstrap.security;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.convert.Delimiter;

/**
 * How callers are authenticated: by a gateway, by bearer tokens, or by both.
 *
 * @param gatewaySecrets the secrets that authenticate the gateway: none, one, or two while one
 *     replaces the other
 * @param gatewayCertificates the subjects of the client certificates that authenticate the gateway,
 *     such as {@code CN=gateway,O=Example}; separated by semicolons in one value
 * @param issuers whose tokens are accepted
 * @param origins of web pages whose scripts may call the service, such as {@code
 *     https://shop.example}; none if all pages are of the same origin as the service
 */
@ConfigurationProperties("firstcome.security")
record SecurityProperties(
    @DefaultValue List<String> gatewaySecrets,
    @DefaultValue @Delimiter(";") List<String> gatewayCertificates,
    @DefaultValue List<TrustedIssuer> issuers,
    @DefaultValue List<String> origins) {

  static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("firstcome.security");

  /**
   * An issuer of JSON Web Tokens.
   *
   * @param issuer the claim {@code iss} of its tokens
   * @param audience what the claim {@code aud} of its tokens must contain
   * @param jwkSetUri where its public keys are (RFC 7517), or null if {@code publicKey} is set
   * @param publicKey its only public key, RSA or EC, in PEM; or null if {@code jwkSetUri} is set
   * @param userClaim the claim with the id of the user
   * @param scopes that its tokens may carry; other scopes in its tokens are ignored. An issuer of
   *     customers needs none
   * @param clockSkew by how much the issuer's clock may differ
   */
  record TrustedIssuer(
      String issuer,
      String audience,
      @Nullable String jwkSetUri,
      @Nullable String publicKey,
      @DefaultValue("sub") String userClaim,
      @DefaultValue List<String> scopes,
      @DefaultValue("30s") Duration clockSkew) {}

  /** Whether these properties have a member of that name, below {@link #PREFIX}. */
  static boolean isKnown(ConfigurationPropertyName name) {
    int member = PREFIX.getNumberOfElements();
    boolean isOfIssuer = name.getElement(member, Form.UNIFORM).equals("issuers");
    return isMember(SecurityProperties.class, name, member)
        && (!isOfIssuer || isMember(TrustedIssuer.class, name, member + 2));
  }

  private static boolean isMember(
      Class<? extends Record> of, ConfigurationPropertyName name, int index) {
    return index < name.getNumberOfElements()
        && Arrays.stream(of.getRecordComponents())
            .map(component -> component.getName().toLowerCase(Locale.ROOT))
            .anyMatch(name.getElement(index, Form.UNIFORM)::equals);
  }
}
