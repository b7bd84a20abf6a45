package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.firstcome.devservices.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.json.JsonMapper;

/** Spring Authorization Server as the issuer of tokens, in this JVM. */
public final class IssuerServer implements AutoCloseable {

  /** What its tokens are for. */
  public static final String AUDIENCE = "firstcome";

  /** The client of {@link #shopToken()}. */
  public static final String SHOP = "berlin";

  private static final String PASSWORD = "password";

  /** Its signing keys, the current one first. */
  private static final List<RSAKey> KEYS = new CopyOnWriteArrayList<>();

  private final ConfigurableApplicationContext context;
  private final String url;

  private IssuerServer(ConfigurableApplicationContext context, String url) {
    this.context = context;
    this.url = url;
  }

  /** The server's beans. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Configuration {

    @Bean
    SecurityFilterChain endpoints(HttpSecurity http) {
      return http.oauth2AuthorizationServer(Customizer.withDefaults())
          .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
          .csrf(AbstractHttpConfigurer::disable)
          .build();
    }

    @Bean
    RegisteredClientRepository clients() {
      return new InMemoryRegisteredClientRepository(
          RegisteredClient.withId(SHOP)
              .clientId(SHOP)
              .clientSecret("{noop}" + PASSWORD)
              .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
              .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
              .scope("coupon:redeem")
              .scope("coupon:recover")
              .build());
    }

    @Bean
    JWKSource<SecurityContext> keys() {
      return (selector, context) -> selector.select(new JWKSet(List.copyOf(KEYS)));
    }

    /** Signs with the first key. */
    @Bean
    JwtEncoder encoder(JWKSource<SecurityContext> keys) {
      var encoder = new NimbusJwtEncoder(keys);
      encoder.setJwkSelector(List::getFirst);
      return encoder;
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> claims() {
      return token ->
          token
              .getClaims()
              .claim("shop", token.getRegisteredClient().getClientId())
              .audience(List.of(AUDIENCE));
    }

    @Bean
    AuthorizationServerSettings settings() {
      return AuthorizationServerSettings.builder().build();
    }
  }

  public static IssuerServer start() {
    KEYS.clear();
    KEYS.add(newKey());
    int port = Ports.free();
    var context =
        new SpringApplicationBuilder(Configuration.class)
            .properties(
                Map.of(
                    "server.port", port,
                    "server.address", "127.0.0.1",
                    "logging.level.root", "warn",
                    "spring.main.banner-mode", "off"))
            .run();
    return new IssuerServer(context, "http://127.0.0.1:" + port);
  }

  private static RSAKey newKey() {
    try {
      return new RSAKeyGenerator(2_048).keyID(UUID.randomUUID().toString()).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The environment with which a service trusts it, for these scopes. */
  public Map<String, String> environment(String scopes) {
    return Map.of(
        "FIRSTCOME_SECURITY_ISSUERS_0_ISSUER", url,
        "FIRSTCOME_SECURITY_ISSUERS_0_AUDIENCE", AUDIENCE,
        "FIRSTCOME_SECURITY_ISSUERS_0_JWKSETURI", url + "/oauth2/jwks",
        "FIRSTCOME_SECURITY_ISSUERS_0_SCOPES", scopes,
        "FIRSTCOME_SECURITY_ISSUERS_0_PUBLICKEY", "");
  }

  /** A token that the server issues to the client {@value #SHOP}, by its token endpoint. */
  public String shopToken() {
    var credentials =
        Base64.getEncoder().encodeToString("%s:%s".formatted(SHOP, PASSWORD).getBytes(UTF_8));
    var request =
        HttpRequest.newBuilder(URI.create(url + "/oauth2/token"))
            .header("Authorization", "Basic " + credentials)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "grant_type=client_credentials&scope=coupon:redeem%20coupon:recover"))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(
            "no token: %s %s %s".formatted(answer, answer.headers(), answer.body()));
      }
      return JsonMapper.shared().readTree(answer.body()).path("access_token").asString();
    } catch (IOException e) {
      throw new IllegalStateException("the issuer did not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The claims of a valid token of the user. */
  public JWTClaimsSet.Builder claims(String user) {
    var now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer(url)
        .audience(AUDIENCE)
        .subject(user)
        .notBeforeTime(Date.from(now.minusSeconds(1)))
        .expirationTime(Date.from(now.plusSeconds(300)));
  }

  /** A token with these claims, signed with the server's current key. */
  public String sign(JWTClaimsSet claims) {
    return sign(claims, key());
  }

  /** A token with these claims, signed with another key. */
  public static String sign(JWTClaimsSet claims, RSAKey key) {
    var header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build();
    var token = new SignedJWT(header, claims);
    try {
      token.sign(new RSASSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return token.serialize();
  }

  /** The key with which it signs. */
  public RSAKey key() {
    return KEYS.getFirst();
  }

  /** Signs with a new key from now on; the old one is published still. */
  public void rotate() {
    KEYS.addFirst(newKey());
  }

  @Override
  public void close() {
    context.close();
  }
}
