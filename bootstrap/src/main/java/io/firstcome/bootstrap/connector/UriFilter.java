package io.firstcome.bootstrap.connector;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Refuses URIs that are longer than any of the service (414), before other filters search them for
 * unsafe parts, which takes longer than a claim.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class UriFilter extends RequestFilter {

  private static final int MAX_CHARACTERS = 2_000;

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var query = request.getQueryString();
    int length = request.getRequestURI().length() + (query == null ? 0 : query.length());
    if (length > MAX_CHARACTERS) {
      response.sendError(HttpServletResponse.SC_REQUEST_URI_TOO_LONG);
    } else {
      chain.doFilter(request, response);
    }
  }
}
