package io.firstcome.bootstrap.security;

import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Makes who is signed in to the console the caller of the request, as if a gateway or a token had
 * named them: so the same limits and the same audit apply. The session keeps what it has.
 */
final class ConsoleCallers extends OncePerRequestFilter {

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var signedIn = SecurityContextHolder.getContext().getAuthentication();
    if (signedIn != null) {
      var context = SecurityContextHolder.createEmptyContext();
      context.setAuthentication(
          caller(signedIn)
              .map(caller -> new CallerAuthentication(caller, Instant.MAX))
              .orElse(null));
      SecurityContextHolder.setContext(context);
    }
    chain.doFilter(request, response);
  }

  /** The caller, or empty if the name is none that the audit trail can have. */
  private static Optional<Caller> caller(Authentication signedIn) {
    try {
      var scopes =
          Scope.ofLabels(
              signedIn.getAuthorities().stream()
                  .map(GrantedAuthority::getAuthority)
                  .filter(Objects::nonNull)
                  .toList());
      return Optional.of(new Caller(UserId.ofCaller(signedIn.getName()), null, scopes));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
