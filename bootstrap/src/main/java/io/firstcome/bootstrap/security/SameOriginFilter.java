package io.firstcome.bootstrap.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses changes and files that a page of another origin asks for. The token against forged
 * requests is in a cookie, and a page of a sibling domain can set cookies; the headers checked here
 * it cannot set.
 *
 * @see <a href="https://www.w3.org/TR/fetch-metadata/">Fetch Metadata Request Headers</a>
 */
final class SameOriginFilter extends OncePerRequestFilter {

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private final AccessDeniedHandler denied;

  SameOriginFilter(AccessDeniedHandler denied) {
    this.denied = denied;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (changesNothing(request) || isOfThisOrigin(request)) {
      chain.doFilter(request, response);
    } else {
      denied.handle(request, response, new AccessDeniedException("sent by another origin"));
    }
  }

  /** A file takes the place of another one for as long as it is sent. */
  private static boolean changesNothing(HttpServletRequest request) {
    return SAFE_METHODS.contains(request.getMethod()) && !request.getServletPath().endsWith(".csv");
  }

  private static boolean isOfThisOrigin(HttpServletRequest request) {
    var site = request.getHeader("Sec-Fetch-Site");
    if (site != null) {
      return OWN.contains(site);
    }
    // A browser without the first header sends the second one; a program may send neither.
    var origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin == null || authority(origin).equals(request.getHeader(HttpHeaders.HOST));
  }

  private static String authority(String origin) {
    try {
      @Nullable String authority = URI.create(origin).getAuthority();
      return authority == null ? "" : authority;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
