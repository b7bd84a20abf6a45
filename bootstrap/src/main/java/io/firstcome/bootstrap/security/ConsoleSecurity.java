package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.problem.ProblemWriter;
import io.firstcome.bootstrap.refusal.UnknownSettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.DefaultRedirectStrategy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/**
 * Who may use the console. Somebody signs in by OpenID Connect, or by a password where there is no
 * provider, such as on a developer's machine. Only who is signed in, or is signing in by OpenID
 * Connect, has a session, so that other visitors occupy little memory.
 */
@Configuration(proxyBeanMethods = false)
class ConsoleSecurity {

  private static final String CONSOLE = "/console";
  private static final String AUTHORIZATION = CONSOLE + "/oauth2/authorization";
  private static final String LOGIN = CONSOLE + "/login";
  private static final String DENIED = CONSOLE + "/denied";

  /** Its own scripts and styles only, which call the console only. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  ConsoleSecurity(Environment environment) {
    UnknownSettings.refuse(environment, ConsoleProperties.PREFIX, ConsoleProperties::isKnown);
  }

  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE + 2)
  SecurityFilterChain console(
      HttpSecurity http,
      ConsoleProperties properties,
      ObjectProvider<ClientRegistrationRepository> providers,
      SignInLimit signInLimit,
      ProblemWriter problems) {
    http.securityMatcher(CONSOLE, CONSOLE + "/**");
    var savedPages = new SavedPages(CONSOLE);
    boolean hasProvider = providers.getIfAvailable() != null;
    if (properties.users().isEmpty() && !hasProvider) {
      return withoutConsole(http, problems);
    }
    http.authorizeHttpRequests(requests ->
            requests
                .dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.FORWARD)
                .permitAll()
                .requestMatchers(CONSOLE + "/assets/*", LOGIN)
                .permitAll()
                .requestMatchers(
                    CONSOLE + "/new", CONSOLE + "/coupons/*/edit", CONSOLE + "/coupons/*/edit/*")
                .hasAuthority(Scope.DEFINE.label())
                .requestMatchers(HttpMethod.GET, CONSOLE, CONSOLE + "/**")
                .hasAuthority(Scope.READ.label())
                .requestMatchers(HttpMethod.HEAD, CONSOLE, CONSOLE + "/**")
                .hasAuthority(Scope.READ.label())
                // They only look for something, and what for must not be in an address.
                .requestMatchers(HttpMethod.POST, CONSOLE + "/customers", CONSOLE + "/check")
                .hasAuthority(Scope.READ.label())
                .anyRequest()
                .hasAuthority(Scope.OPERATE.label()))
        .addFilterBefore(new ConsoleCallers(), AuthorizationFilter.class)
        .addFilterBefore(new SameOriginFilter(denied()), CsrfFilter.class)
        .addFilterAfter(
            new SignInFilter(LOGIN, AUTHORIZATION, CONSOLE + "/too-many-sign-ins", signInLimit),
            CsrfFilter.class)
        .exceptionHandling(failures ->
            failures
                .defaultAuthenticationEntryPointFor(
                    ofScripts(), request -> request.getHeader("HX-Request") != null)
                .defaultAuthenticationEntryPointFor(
                    signInPage(), PathPatternRequestMatcher.withDefaults().matcher(CONSOLE + "/**"))
                .accessDeniedHandler(denied()))
        .headers(headers ->
            headers
                .contentSecurityPolicy(policy -> policy.policyDirectives(POLICY))
                .addHeaderWriter(new StaticHeadersWriter("Referrer-Policy", "same-origin")))
        // Without a session before somebody is signed in.
        .csrf(
            csrf -> csrf.csrfTokenRepository(tokens()).csrfTokenRequestHandler(new MaskedTokens()))
        .requestCache(cache -> cache.requestCache(savedPages))
        .anonymous(AbstractHttpConfigurer::disable)
        .logout(logout ->
            logout.logoutUrl(CONSOLE + "/logout").logoutSuccessUrl(LOGIN + "?signed-out"));
    if (!properties.users().isEmpty()) {
      http.authenticationProvider(passwords(properties))
          .formLogin(form ->
              form.loginPage(LOGIN)
                  .failureHandler(failures())
                  .successHandler(savedPages.backToPage()));
    }
    if (hasProvider) {
      http.oauth2Login(login ->
          login
              .loginPage(LOGIN)
              .failureUrl(LOGIN + "?failed")
              .successHandler(savedPages.backToPage())
              .authorizationEndpoint(at -> at.baseUri(AUTHORIZATION))
              .redirectionEndpoint(at -> at.baseUri(CONSOLE + "/oauth2/code/*"))
              .userInfoEndpoint(at ->
                  at.oidcUserService(OpenIdUsers.service())
                      .userAuthoritiesMapper(new OpenIdUsers(properties)::scopes)));
    }
    return http.build();
  }

  @Bean
  SignInMethods signInMethods(
      ConsoleProperties properties, ObjectProvider<ClientRegistrationRepository> registrations) {
    List<SignInMethods.Provider> providers = new ArrayList<>();
    if (registrations.getIfAvailable() instanceof Iterable<?> all) {
      for (var each : all) {
        if (each instanceof ClientRegistration registration) {
          providers.add(
              new SignInMethods.Provider(
                  AUTHORIZATION + "/" + registration.getRegistrationId(),
                  registration.getClientName()));
        }
      }
    }
    return new SignInMethods(!properties.users().isEmpty(), providers);
  }

  private static SecurityFilterChain withoutConsole(HttpSecurity http, ProblemWriter problems) {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().denyAll())
        .exceptionHandling(failures ->
            failures
                .authenticationEntryPoint((request, response, _) ->
                    problems.write(
                        request,
                        response,
                        Problem.of(ProblemType.NOT_FOUND, "This service has no console.")))
                .accessDeniedHandler((request, response, _) ->
                    problems.write(
                        request,
                        response,
                        Problem.of(ProblemType.NOT_FOUND, "This service has no console."))))
        .csrf(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .build();
  }

  private static CookieCsrfTokenRepository tokens() {
    var tokens = new CookieCsrfTokenRepository();
    tokens.setCookiePath(CONSOLE);
    tokens.setCookieName("firstcome-console-csrf");
    return tokens;
  }

  private static DaoAuthenticationProvider passwords(ConsoleProperties properties) {
    var provider = new DaoAuthenticationProvider(new InMemoryUserDetailsManager(users(properties)));
    provider.setPasswordEncoder(
        new BoundedPasswords(PasswordEncoderFactories.createDelegatingPasswordEncoder()));
    return provider;
  }

  private static AuthenticationFailureHandler failures() {
    var strategy = new DefaultRedirectStrategy();
    return (request, response, failure) ->
        strategy.sendRedirect(
            request,
            response,
            LOGIN + (failure instanceof BoundedPasswords.TooManyException ? "?busy" : "?failed"));
  }

  private static AccessDeniedHandlerImpl denied() {
    var handler = new AccessDeniedHandlerImpl();
    handler.setErrorPage(DENIED);
    return handler;
  }

  /** Relative: a proxy in front may have another scheme and host. */
  private static LoginUrlAuthenticationEntryPoint signInPage() {
    var page = new LoginUrlAuthenticationEntryPoint(LOGIN);
    page.setFavorRelativeUris(true);
    return page;
  }

  /** The page stays as it is, with what was typed; its script says that nobody is signed in. */
  private static AuthenticationEntryPoint ofScripts() {
    return (_, response, _) -> response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
  }

  private static List<UserDetails> users(ConsoleProperties properties) {
    return properties.users().entrySet().stream()
        .map(entry ->
            User.withUsername(entry.getKey())
                .password(entry.getValue().password())
                .authorities(entry.getValue().role().authorities())
                .build())
        .toList();
  }
}
