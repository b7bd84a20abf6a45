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
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
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
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.FactorGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.oidc.OidcScopes;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.NimbusJwtEncoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import tools.jackson.databind.json.JsonMapper;

/** Spring Authorization Server as the issuer of tokens, in this JVM. */
public final class IssuerServer implements AutoCloseable {

  /** What its tokens are for. */
  public static final String AUDIENCE = "firstcome";

  /** The client of {@link #shopToken()}. */
  public static final String SHOP = "berlin";

  /** The header with the name of a user who is signed in here; the name is their role, too. */
  public static final String USER = "X-User";

  /** A user whose ID tokens have no name. */
  public static final String NAMELESS = "nameless";

  /** A user whose ID tokens have roles of an unexpected form. */
  public static final String WITH_ROLES_AS_MAP = "with-roles-as-map";

  private static final Map<String, Boolean> ROLES_AS_MAP = Map.of("firstcome-operator", true);
  private static final String PASSWORD = "password";
  private static final String CONSOLE = "console";

  /** Clients must not have the same one. */
  private static final String CONSOLE_SECRET = "console-secret";

  private static final String CONSOLE_CALLBACK = "/console/oauth2/code/console";

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
      return http.oauth2AuthorizationServer(server -> server.oidc(Customizer.withDefaults()))
          .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
          .addFilterAfter(IssuerServer::signIn, SecurityContextHolderFilter.class)
          .csrf(AbstractHttpConfigurer::disable)
          .build();
    }

    @Bean
    InMemoryRegisteredClientRepository clients() {
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
      return token -> {
        if (token.getTokenType().getValue().equals(OidcParameterNames.ID_TOKEN)) {
          Authentication user = token.getPrincipal();
          var name = Objects.requireNonNull(user).getName();
          if (!name.equals(NAMELESS)) {
            token.getClaims().claim("preferred_username", name);
          }
          token
              .getClaims()
              .claim("roles", name.equals(WITH_ROLES_AS_MAP) ? ROLES_AS_MAP : List.of(name));
        } else {
          token
              .getClaims()
              .claim("shop", token.getRegisteredClient().getClientId())
              .audience(List.of(AUDIENCE));
        }
      };
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

  /** The environment with which the console of a service lets its users sign in. */
  public Map<String, String> consoleEnvironment() {
    var client = "SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_CONSOLE_";
    var provider = "SPRING_SECURITY_OAUTH2_CLIENT_PROVIDER_CONSOLE_";
    return Map.of(
        client + "CLIENT_ID",
        CONSOLE,
        client + "CLIENT_SECRET",
        CONSOLE_SECRET,
        client + "SCOPE",
        "openid",
        client + "REDIRECT_URI",
        "{baseUrl}" + CONSOLE_CALLBACK,
        client + "AUTHORIZATION_GRANT_TYPE",
        "authorization_code",
        provider + "AUTHORIZATION_URI",
        url + "/oauth2/authorize",
        provider + "TOKEN_URI",
        url + "/oauth2/token",
        provider + "JWK_SET_URI",
        url + "/oauth2/jwks",
        provider + "USER_NAME_ATTRIBUTE",
        "preferred_username");
  }

  /** Knows the console of this service from now on. */
  public void registerConsole(String serviceUrl) {
    context
        .getBean(InMemoryRegisteredClientRepository.class)
        .save(
            RegisteredClient.withId(CONSOLE)
                .clientId(CONSOLE)
                .clientSecret("{noop}" + CONSOLE_SECRET)
                .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                .redirectUri(serviceUrl + CONSOLE_CALLBACK)
                .scope(OidcScopes.OPENID)
                .build());
  }

  /** Who is named in the header {@link #USER} is signed in here; the test needs no form. */
  private static void signIn(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    var user = ((HttpServletRequest) request).getHeader(USER);
    if (user != null) {
      var context = SecurityContextHolder.createEmptyContext();
      context.setAuthentication(
          UsernamePasswordAuthenticationToken.authenticated(
              user,
              "",
              List.of(
                  FactorGrantedAuthority.fromAuthority(
                      FactorGrantedAuthority.PASSWORD_AUTHORITY))));
      SecurityContextHolder.setContext(context);
    }
    chain.doFilter(request, response);
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
