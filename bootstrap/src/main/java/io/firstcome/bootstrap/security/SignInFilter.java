package io.firstcome.bootstrap.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses attempts to sign in beyond the limit, before a password is checked. It stands behind the
 * filter against forged requests, so that a page of another site cannot use up the attempts.
 */
final class SignInFilter extends OncePerRequestFilter {

  private final String login;
  private final String authorization;
  private final String refused;
  private final SignInLimit limit;

  /**
   * @param login the path to which names and passwords are sent
   * @param authorization the path with which signing in at a provider begins, for which a session
   *     is made
   * @param refused the path of the page that says so
   */
  SignInFilter(String login, String authorization, String refused, SignInLimit limit) {
    this.login = login;
    this.authorization = authorization;
    this.refused = refused;
    this.limit = limit;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    // Decoded: otherwise an escaped character would lift the limit.
    var path = request.getServletPath();
    boolean isAttempt =
        (HttpMethod.POST.matches(request.getMethod()) && path.equals(login))
            || path.startsWith(authorization);
    if (!isAttempt || limit.allows(request, name(request))) {
      chain.doFilter(request, response);
    } else {
      request.getRequestDispatcher(refused).forward(request, response);
    }
  }

  private static String name(HttpServletRequest request) {
    var name = request.getParameter("username");
    return name == null ? "" : name;
  }
}
