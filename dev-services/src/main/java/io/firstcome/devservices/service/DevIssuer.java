package io.firstcome.devservices.service;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The issuer of tokens for a development service. Its key is kept with the data of the service,
 * which knows only the public half.
 */
public final class DevIssuer {

  private static final String ISSUER = "urn:firstcome:development";
  private static final String AUDIENCE = "firstcome";
  private static final String SETTING = "FIRSTCOME_SECURITY_ISSUERS_0_";

  /** Every scope of the service: who can read the key may do everything. */
  public static final List<String> SCOPES =
      List.of(
          "coupon:read",
          "coupon:define",
          "coupon:operate",
          "coupon:revoke",
          "coupon:erase",
          "coupon:recover",
          "coupon:redeem");

  private final ECKey key;

  private DevIssuer(ECKey key) {
    this.key = key;
  }

  /** The issuer whose key is in the folder; it is made at the first call. */
  public static DevIssuer in(Path folder) {
    try {
      return new DevIssuer(ECKey.parse(SecretFile.in(folder, "issuer-key", DevIssuer::newKey)));
    } catch (ParseException e) {
      throw new IllegalStateException("no key in " + folder.resolve("issuer-key"), e);
    }
  }

  private static String newKey() {
    try {
      return new ECKeyGenerator(Curve.P_256).generate().toJSONString();
    } catch (JOSEException e) {
      throw new IllegalStateException("every Java has P-256", e);
    }
  }

  /** The environment variables with which a service accepts its tokens. */
  Map<String, String> environment() {
    return Map.of(
        SETTING + "ISSUER",
        ISSUER,
        SETTING + "AUDIENCE",
        AUDIENCE,
        SETTING + "SCOPES",
        String.join(",", SCOPES),
        SETTING + "PUBLICKEY",
        publicKey());
  }

  /** In PEM (RFC 7468). */
  private String publicKey() {
    try {
      return "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
          .formatted(Base64.getMimeEncoder().encodeToString(key.toECPublicKey().getEncoded()));
    } catch (JOSEException e) {
      throw new IllegalStateException("not a public key", e);
    }
  }

  /**
   * A token.
   *
   * @param user null for none
   * @param shop null for none
   */
  public String token(
      @Nullable String user, @Nullable String shop, List<String> scopes, Duration validity) {
    var now = Instant.now();
    var claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(AUDIENCE)
            .subject(user)
            .claim("shop", shop)
            .claim("scope", String.join(" ", scopes))
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(validity)))
            .build();
    var header = new JWSHeader.Builder(JWSAlgorithm.ES256).type(JOSEObjectType.JWT).build();
    var token = new SignedJWT(header, claims);
    try {
      token.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException("cannot sign a token", e);
    }
    return token.serialize();
  }
}
