package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.problem.ProblemWriter;
import io.firstcome.bootstrap.refusal.UnknownSettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.header.writers.StaticHeadersWriter;
import org.springframework.security.web.savedrequest.CookieRequestCache;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;

/**
 * Who may use the console. Somebody signs in by OpenID Connect, or by a password where there is no
 * provider, such as on a developer's machine. Only who is signed in has a session, so that other
 * visitors occupy no memory.
 */
@Configuration(proxyBeanMethods = false)
class ConsoleSecurity {

  private static final String CONSOLE = "/console";
  private static final String AUTHORIZATION = CONSOLE + "/oauth2/authorization";
  private static final String LOGIN = CONSOLE + "/login";

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
      ProblemWriter problems) {
    http.securityMatcher(CONSOLE, CONSOLE + "/**");
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
        .exceptionHandling(failures ->
            failures
                .defaultAuthenticationEntryPointFor(
                    ofScripts(), request -> request.getHeader("HX-Request") != null)
                .defaultAuthenticationEntryPointFor(
                    new LoginUrlAuthenticationEntryPoint(LOGIN),
                    PathPatternRequestMatcher.withDefaults().matcher(CONSOLE + "/**"))
                .accessDeniedPage(CONSOLE + "/denied"))
        .headers(headers ->
            headers
                .contentSecurityPolicy(policy -> policy.policyDirectives(POLICY))
                .addHeaderWriter(new StaticHeadersWriter("Referrer-Policy", "same-origin")))
        // Without a session before somebody is signed in.
        .csrf(csrf -> csrf.csrfTokenRepository(tokens()))
        .requestCache(cache -> cache.requestCache(new CookieRequestCache()))
        .anonymous(AbstractHttpConfigurer::disable)
        .logout(logout ->
            logout.logoutUrl(CONSOLE + "/logout").logoutSuccessUrl(LOGIN + "?signed-out"));
    if (!properties.users().isEmpty()) {
      http.userDetailsService(new InMemoryUserDetailsManager(users(properties)))
          .formLogin(form ->
              form.loginPage(LOGIN).failureUrl(LOGIN + "?failed").defaultSuccessUrl(CONSOLE));
    }
    if (hasProvider) {
      http.oauth2Login(login ->
          login
              .loginPage(LOGIN)
              .failureUrl(LOGIN + "?failed")
              .defaultSuccessUrl(CONSOLE)
              .authorizationEndpoint(at -> at.baseUri(AUTHORIZATION))
              .redirectionEndpoint(at -> at.baseUri(CONSOLE + "/oauth2/code/*"))
              .userInfoEndpoint(
                  user -> user.userAuthoritiesMapper(granted -> scopes(granted, properties))));
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

  /** The script that sent the request shows the page for signing in. */
  private static AuthenticationEntryPoint ofScripts() {
    return (_, response, _) -> {
      response.setHeader("HX-Redirect", LOGIN);
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    };
  }

  private static List<UserDetails> users(ConsoleProperties properties) {
    return properties.users().entrySet().stream()
        .map(entry ->
            User.withUsername(entry.getKey())
                .password(entry.getValue().password())
                .authorities(authorities(entry.getValue().role()))
                .build())
        .toList();
  }

  private static List<SimpleGrantedAuthority> authorities(ConsoleRole role) {
    return role.scopes().stream().map(Scope::label).map(SimpleGrantedAuthority::new).toList();
  }

  private static Collection<? extends GrantedAuthority> scopes(
      Collection<? extends GrantedAuthority> granted, ConsoleProperties properties) {
    Set<GrantedAuthority> scopes = new HashSet<>();
    for (var authority : granted) {
      if (authority instanceof OidcUserAuthority user) {
        var roles = user.getIdToken().getClaimAsStringList(properties.rolesClaim());
        if (roles != null && roles.contains(properties.viewerRole())) {
          scopes.addAll(authorities(ConsoleRole.VIEWER));
        }
        if (roles != null && roles.contains(properties.operatorRole())) {
          scopes.addAll(authorities(ConsoleRole.OPERATOR));
        }
      }
    }
    return scopes;
  }
}
