package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemWriter;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.ShopId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Authenticates requests of the gateway, which authenticates callers and states them in headers:
 * {@code X-User-Id}, {@code X-Shop-Id} and {@code X-Scopes}, the scopes separated by spaces. In
 * other requests these headers are ignored.
 */
final class GatewayFilter extends OncePerRequestFilter {

  private final Gateways gateways;
  private final ProblemWriter problems;

  GatewayFilter(Gateways gateways, ProblemWriter problems) {
    this.gateways = gateways;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      if (gateways.haveSent(request)) {
        authenticate(request);
      }
    } catch (Problem problem) {
      problems.write(request, response, problem);
      return;
    }
    chain.doFilter(request, response);
  }

  private static void authenticate(HttpServletRequest request) {
    var caller =
        new Caller(
            id(request, "X-User-Id", UserId::ofCaller),
            id(request, "X-Shop-Id", ShopId::new),
            scopes(request.getHeader("X-Scopes")));
    var context = SecurityContextHolder.createEmptyContext();
    context.setAuthentication(new CallerAuthentication(caller, Instant.MAX));
    SecurityContextHolder.setContext(context);
  }

  /** The id in a header, or null; an empty header is as none. */
  private static <T> @Nullable T id(
      HttpServletRequest request, String name, Function<String, T> reader) {
    var headers = request.getHeaders(name);
    if (!headers.hasMoreElements()) {
      return null;
    }
    var header = headers.nextElement();
    if (headers.hasMoreElements()) {
      throw Problem.malformed(name + " must not be repeated");
    }
    if (header.isEmpty()) {
      return null;
    }
    try {
      return reader.apply(header);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed(name + ": " + e.getMessage());
    }
  }

  private static Set<Scope> scopes(@Nullable String header) {
    return header == null ? Set.of() : Scope.ofLabels(List.of(header.trim().split(" +")));
  }
}
