package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.ProblemWriter;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.refusal.UnknownSettings;
import io.firstcome.bootstrap.security.SecurityProperties.TrustedIssuer;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.authentication.JwtIssuerAuthenticationManagerResolver;
import org.springframework.security.oauth2.server.resource.web.BearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.HeaderWriterFilter;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/** Who is authenticated how, and which scope each operation needs. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

  private static final String ADMIN = "/api/v1/admin";

  /**
   * For the page that shows the API: its own scripts only, which may call the service at any
   * address. Swagger UI writes styles into its elements.
   *
   * @see <a href="https://www.w3.org/TR/CSP3/">Content Security Policy</a>
   */
  private static final String PAGE =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:;"
          + " connect-src http: https:; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  /**
   * For the page of a coupon: its own scripts and styles, which call the service where the page is
   * from. A shop that shows the page in a frame uses the web component instead.
   */
  private static final String COUPON_PAGE =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** How long a browser need not ask again. */
  private static final Duration PREFLIGHT_VALID = Duration.ofHours(1);

  SecurityConfiguration(Environment environment) {
    UnknownSettings.refuse(environment, SecurityProperties.PREFIX, SecurityProperties::isKnown);
  }

  /** Probes and metrics have a port of their own, which callers do not reach. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  SecurityFilterChain management(HttpSecurity http) {
    return http.securityMatcher(EndpointRequest.toAnyEndpoint())
        .authorizeHttpRequests(requests ->
            requests
                // Spring Boot answers 500 if there is no such component (as of 4.1.1).
                .requestMatchers("/actuator/health/*/*/**")
                .denyAll()
                .anyRequest()
                .permitAll())
        .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(PAGE)))
        .csrf(AbstractHttpConfigurer::disable)
        .build();
  }

  /** The page of a coupon and its scripts are for everybody; the calls of the scripts are not. */
  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE + 1)
  SecurityFilterChain couponPage(HttpSecurity http) {
    return http.securityMatcher("/c/*", "/assets/*")
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .headers(headers -> {
          headers(headers);
          headers.addHeaderWriter(new StaticHeadersWriter("Content-Security-Policy", COUPON_PAGE));
          headers.addHeaderWriter(new StaticHeadersWriter("Referrer-Policy", "no-referrer"));
        })
        .cors(AbstractHttpConfigurer::disable)
        .csrf(AbstractHttpConfigurer::disable)
        .anonymous(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .servletApi(AbstractHttpConfigurer::disable)
        .build();
  }

  @Bean
  SecurityFilterChain api(
      HttpSecurity http,
      SecurityProperties properties,
      ServerProperties server,
      FirstcomeProperties firstcome,
      SslBundles bundles,
      ProblemWriter problems,
      InstantSource clock) {
    var gateways = Gateways.of(properties, server, firstcome, bundles);
    var issuers = properties.issuers();
    if (gateways.isEmpty() && issuers.isEmpty()) {
      throw new InvalidSettingException(
          "firstcome.security.gateway-secrets, firstcome.security.gateway-certificates or"
              + " firstcome.security.issuers must be set");
    }
    var answers = new ProblemEntryPoint(problems);
    http.authorizeHttpRequests(SecurityConfiguration::scopes)
        .exceptionHandling(
            failures -> failures.authenticationEntryPoint(answers).accessDeniedHandler(answers))
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .headers(SecurityConfiguration::headers)
        .cors(AbstractHttpConfigurer::disable)
        // No caller is authenticated by a cookie.
        .csrf(AbstractHttpConfigurer::disable)
        .anonymous(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .servletApi(AbstractHttpConfigurer::disable);
    if (!properties.origins().isEmpty()) {
      http.addFilter(corsFilter(properties.origins(), problems));
    }
    if (!gateways.isEmpty()) {
      // A browser asks without credentials whether a script may call.
      http.addFilterAfter(new GatewayFilter(gateways, problems), CorsFilter.class);
    }
    if (!issuers.isEmpty()) {
      var tokens = new TokenVerification(verifiers(issuers, clock), clock);
      http.oauth2ResourceServer(tokenServer ->
          tokenServer
              .authenticationManagerResolver(tokens)
              .bearerTokenResolver(unlessOfTheGateway())
              .authenticationEntryPoint(answers)
              .withObjectPostProcessor(
                  new ObjectPostProcessor<BearerTokenAuthenticationFilter>() {
                    @Override
                    public <O extends BearerTokenAuthenticationFilter> O postProcess(O filter) {
                      filter.setAuthenticationFailureHandler(answers);
                      return filter;
                    }
                  }));
    }
    return http.build();
  }

  /** The scope of each operation; the first line that matches applies. */
  private static void scopes(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
          requests) {
    requests
        .dispatcherTypeMatchers(DispatcherType.ERROR)
        .permitAll()
        .requestMatchers(HttpMethod.POST, "/api/v1/coupons/*/claims")
        .authenticated()
        .requestMatchers("/api/v1/redemptions/**")
        .hasAuthority(Scope.REDEEM.label())
        .requestMatchers(HttpMethod.GET, ADMIN + "/**")
        .hasAuthority(Scope.READ.label())
        .requestMatchers(HttpMethod.HEAD, ADMIN + "/**")
        .hasAuthority(Scope.READ.label())
        .requestMatchers(
            HttpMethod.POST,
            ADMIN + "/coupons",
            ADMIN + "/campaigns",
            ADMIN + "/coupons/*/quantity",
            ADMIN + "/coupons/*/publish",
            ADMIN + "/coupons/*/copy")
        .hasAuthority(Scope.DEFINE.label())
        .requestMatchers(HttpMethod.PATCH, ADMIN + "/coupons/*")
        .hasAuthority(Scope.DEFINE.label())
        .requestMatchers(HttpMethod.DELETE, ADMIN + "/coupons/*", ADMIN + "/campaigns/*")
        .hasAuthority(Scope.DEFINE.label())
        .requestMatchers(ADMIN + "/stock/**")
        .hasAuthority(Scope.RECOVER.label())
        .requestMatchers(ADMIN + "/user-coupons/**", ADMIN + "/redemptions/**")
        .hasAuthority(Scope.REVOKE.label())
        .requestMatchers(ADMIN + "/erasures/**")
        .hasAuthority(Scope.ERASE.label())
        .requestMatchers(ADMIN + "/**")
        .hasAuthority(Scope.OPERATE.label())
        .anyRequest()
        .authenticated();
  }

  /**
   * Allows scripts of these origins to call the service with a token; cookies are not used.
   *
   * @see <a href="https://fetch.spec.whatwg.org/#http-cors-protocol">CORS protocol</a>
   */
  private static CorsFilter corsFilter(List<String> origins, ProblemWriter problems) {
    var allowed = new CorsConfiguration();
    allowed.setAllowedOrigins(origins);
    allowed.setAllowedMethods(List.of("GET", "HEAD", "POST", "PATCH", "DELETE"));
    allowed.setAllowedHeaders(List.of(CorsConfiguration.ALL));
    allowed.setExposedHeaders(
        List.of("ETag", "Location", "Preference-Applied", "RateLimit", "Retry-After"));
    allowed.setMaxAge(PREFLIGHT_VALID);
    var source = new UrlBasedCorsConfigurationSource();
    source.registerCorsConfiguration("/api/**", allowed);
    var filter = new CorsFilter(source);
    filter.setCorsProcessor(new ProblemCorsProcessor(problems));
    return filter;
  }

  private static void headers(HeadersConfigurer<HttpSecurity> headers) {
    headers
        .defaultsDisabled()
        .addHeaderWriter(new StaticHeadersWriter("Cache-Control", "no-store"))
        .addHeaderWriter(new StaticHeadersWriter("X-Content-Type-Options", "nosniff"))
        .withObjectPostProcessor(
            new ObjectPostProcessor<HeaderWriterFilter>() {
              @Override
              public <O extends HeaderWriterFilter> O postProcess(O filter) {
                // Otherwise each response is wrapped, to write them when it is committed.
                filter.setShouldWriteHeadersEagerly(true);
                return filter;
              }
            });
  }

  /** The gateway may pass on a token of its caller; it states the caller by its own headers. */
  private static BearerTokenResolver unlessOfTheGateway() {
    var resolver = new DefaultBearerTokenResolver();
    return request ->
        SecurityContextHolder.getContext().getAuthentication() == null
            ? resolver.resolve(request)
            : null;
  }

  /**
   * The verifiers of tokens, by issuer.
   *
   * @throws InvalidSettingException if an issuer is invalid, or there are two of it
   */
  static JwtIssuerAuthenticationManagerResolver verifiers(
      List<TrustedIssuer> issuers, InstantSource clock) {
    Map<String, AuthenticationManager> verifiers = new HashMap<>();
    for (var issuer : issuers) {
      if (verifiers.containsKey(issuer.issuer())) {
        throw new InvalidSettingException(
            "firstcome.security.issuers has two of the issuer " + issuer.issuer());
      }
      var provider = new JwtAuthenticationProvider(TokenDecoders.of(issuer, clock));
      provider.setJwtAuthenticationConverter(new TokenCallers(issuer));
      verifiers.put(issuer.issuer(), new ProviderManager(provider));
    }
    return new JwtIssuerAuthenticationManagerResolver((String issuer) -> {
      var verifier = verifiers.get(issuer);
      if (verifier == null) {
        throw new InvalidBearerTokenException("its issuer is not trusted");
      }
      return verifier;
    });
  }

  /**
   * Refuses unsafe paths and methods. Tomcat has refused control characters in headers already, and
   * what the service reads from a header, it checks; another check of each header takes longer than
   * all other filters.
   */
  @Bean
  HttpFirewall firewall() {
    var firewall = new StrictHttpFirewall();
    firewall.setAllowedHeaderNames(name -> true);
    firewall.setAllowedHeaderValues(value -> true);
    return firewall;
  }

  /** Recording each filter of each request takes longer than the filters. */
  @Bean
  SecurityObservationSettings noSecurityObservations() {
    return SecurityObservationSettings.noObservations();
  }
}
