package io.firstcome.bootstrap.rest;

import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets only the gateway in, and takes the caller's identity from its headers. The identity is never taken
 * from a body or a query.
 */
@Component
class GatewayFilter extends OncePerRequestFilter {

  private static final String CALLER = Caller.class.getName();

  private final byte[] secret;
  private final HandlerExceptionResolver problems;

  GatewayFilter(
      SecurityProperties properties,
      @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
    this.secret = properties.gatewaySecret().getBytes(StandardCharsets.UTF_8);
    this.problems = problems;
  }

  /** The caller of a request that the filter let in. */
  static Caller caller(HttpServletRequest request) {
    return (Caller) request.getAttribute(CALLER);
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !request.getRequestURI().startsWith("/api/");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      request.setAttribute(CALLER, authenticated(request));
    } catch (Problem problem) {
      problems.resolveException(request, response, null, problem);
      return;
    }
    chain.doFilter(request, response);
  }

  private Caller authenticated(HttpServletRequest request) {
    var given = request.getHeader("X-Gateway-Secret");
    if (given == null || !MessageDigest.isEqual(secret, given.getBytes(StandardCharsets.UTF_8))) {
      throw Problem.unauthenticated("The call did not come through the gateway.");
    }
    return new Caller(userId(request.getHeader("X-User-Id")), scopes(request.getHeader("X-Scopes")));
  }

  private static @Nullable UserId userId(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return null;
    }
    try {
      return new UserId(header);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("X-User-Id: " + e.getMessage());
    }
  }

  private static Set<String> scopes(@Nullable String header) {
    return header == null ? Set.of() : Set.of(header.split(" +", -1));
  }
}
