package io.firstcome.bootstrap.security;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.security.SecurityProperties.TrustedIssuer;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/**
 * Creates the decoders of tokens. A token must be signed with an asymmetric algorithm (so neither
 * {@code none} nor a public key taken for a shared secret), and have the issuer, the audience and
 * an end.
 */
final class TokenDecoders {

  private static final Set<JWSAlgorithm> ALGORITHMS = asymmetric();

  /** Of a JSON Web Token (RFC 7519) and of an access token (RFC 9068); may be missing. */
  private static final DefaultJOSEObjectTypeVerifier<SecurityContext> TYPES =
      new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null);

  private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(2);
  private static final int MAX_JWK_SET_BYTES = 100_000;
  private static final Duration KEYS_KEPT = Duration.ofMinutes(5);

  /** Tokens with an unknown key make the keys be read again, but not more often. */
  private static final Duration KEYS_READ_EVERY = Duration.ofSeconds(10);

  /** How long the last known keys are used while the issuer is not reachable. */
  private static final Duration ISSUER_MAY_BE_AWAY = Duration.ofHours(4);

  /** Hosts whose keys may be read by HTTP. */
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final Pattern ENCAPSULATION = Pattern.compile("-----(BEGIN|END) PUBLIC KEY-----");

  private TokenDecoders() {}

  /**
   * The decoder for an issuer.
   *
   * @throws InvalidSettingException if the issuer has no keys, or invalid ones
   */
  static JwtDecoder of(TrustedIssuer issuer, InstantSource clock) {
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier(TYPES);
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys(issuer)));
    // The claims are verified below.
    processor.setJWTClaimsSetVerifier((claims, context) -> {});
    var decoder = new NimbusJwtDecoder(processor);
    var timestamps = new JwtTimestampValidator(issuer.clockSkew());
    timestamps.setClock(clock.withZone(ZoneOffset.UTC));
    timestamps.setAllowEmptyExpiryClaim(false);
    decoder.setJwtValidator(
        new DelegatingOAuth2TokenValidator<Jwt>(
            List.of(
                timestamps,
                new JwtIssuerValidator(issuer.issuer()),
                new JwtAudienceValidator(issuer.audience()))));
    return decoder;
  }

  private static Set<JWSAlgorithm> asymmetric() {
    var all = new HashSet<JWSAlgorithm>(JWSAlgorithm.Family.RSA);
    all.addAll(JWSAlgorithm.Family.EC);
    return Set.copyOf(all);
  }

  private static JWKSource<SecurityContext> keys(TrustedIssuer issuer) {
    var uri = issuer.jwkSetUri();
    var key = issuer.publicKey();
    if (uri != null && key == null) {
      return remoteKeys(issuer, uri);
    }
    if (uri == null && key != null) {
      return publicKey(issuer, key);
    }
    throw new InvalidSettingException(
        "firstcome.security.issuers: %s needs either jwk-set-uri or public-key"
            .formatted(issuer.issuer()));
  }

  private static JWKSource<SecurityContext> remoteKeys(TrustedIssuer issuer, String uri) {
    int timeout = (int) HTTP_TIMEOUT.toMillis();
    try {
      return JWKSourceBuilder.<SecurityContext>create(
              url(issuer, uri), new DefaultResourceRetriever(timeout, timeout, MAX_JWK_SET_BYTES))
          .cache(KEYS_KEPT.toMillis(), HTTP_TIMEOUT.multipliedBy(2).toMillis())
          .rateLimited(KEYS_READ_EVERY.toMillis())
          .retrying(true)
          .outageTolerant(ISSUER_MAY_BE_AWAY.toMillis())
          .build();
    } catch (IllegalArgumentException | MalformedURLException e) {
      throw new InvalidSettingException(
          "firstcome.security.issuers: jwk-set-uri of %s is no URL: %s"
              .formatted(issuer.issuer(), uri));
    }
  }

  /** Keys that somebody could replace on their way would make every token valid. */
  private static URL url(TrustedIssuer issuer, String uri) throws MalformedURLException {
    var url = URI.create(uri).toURL();
    boolean isLocal = url.getProtocol().equals("http") && LOOPBACK.contains(url.getHost());
    if (!isLocal && !url.getProtocol().equals("https")) {
      throw new InvalidSettingException(
          "firstcome.security.issuers: jwk-set-uri of %s must begin with https: %s"
              .formatted(issuer.issuer(), uri));
    }
    return url;
  }

  private static JWKSource<SecurityContext> publicKey(TrustedIssuer issuer, String pem) {
    try {
      return new ImmutableJWKSet<>(new JWKSet(key(pem)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new InvalidSettingException(
          "firstcome.security.issuers: public-key of %s is no RSA or EC key in PEM"
              .formatted(issuer.issuer()));
    }
  }

  /** The key in a SubjectPublicKeyInfo (RFC 7468, section 13). */
  private static JWK key(String pem) throws GeneralSecurityException {
    var encoded = ENCAPSULATION.matcher(pem).replaceAll("");
    var spec = new X509EncodedKeySpec(Base64.getMimeDecoder().decode(encoded));
    try {
      var rsa = (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(spec);
      return new RSAKey.Builder(rsa).build();
    } catch (InvalidKeySpecException e) {
      var ec = (ECPublicKey) KeyFactory.getInstance("EC").generatePublic(spec);
      return new ECKey.Builder(Curve.forECParameterSpec(ec.getParams()), ec).build();
    }
  }
}
