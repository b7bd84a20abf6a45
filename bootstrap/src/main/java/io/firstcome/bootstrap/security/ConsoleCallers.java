package io.firstcome.bootstrap.security;

import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Makes who is signed in to the console the caller of the request, as if a gateway or a token had
 * named them: so the same limits and the same audit apply. The session keeps what it has.
 */
final class ConsoleCallers extends OncePerRequestFilter {

  /**
   * Since signing in: then the provider says again whether the user has the role. Pages that are
   * open send requests by themselves, so a session can be in use for ever.
   */
  static final Duration LONGEST_SESSION = Duration.ofHours(12);

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var signedIn = SecurityContextHolder.getContext().getAuthentication();
    if (signedIn != null) {
      var context = SecurityContextHolder.createEmptyContext();
      context.setAuthentication(
          isOver(request.getSession(false))
              ? null
              : caller(signedIn)
                  .map(caller -> new CallerAuthentication(caller, Instant.MAX))
                  .orElse(null));
      SecurityContextHolder.setContext(context);
    }
    chain.doFilter(request, response);
  }

  /** Whether the session was too long; it is ended then. */
  static boolean isOver(@Nullable HttpSession session) {
    if (session == null
        || System.currentTimeMillis() - session.getCreationTime() <= LONGEST_SESSION.toMillis()) {
      return false;
    }
    session.invalidate();
    return true;
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
