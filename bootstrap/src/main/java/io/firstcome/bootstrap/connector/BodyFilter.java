package io.firstcome.bootstrap.connector;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Reads the body of an authenticated request as a whole before anything else is done with it, see
 * {@link RequestBodies}. Bodies of other requests are not read at all, except those of {@link
 * FormFilter}.
 */
@Component
@Order(SecurityFilterProperties.DEFAULT_FILTER_ORDER + 1)
class BodyFilter extends RequestFilter {

  private final RequestBodies bodies;

  BodyFilter(RequestBodies bodies) {
    this.bodies = bodies;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    switch (bodies.read(request, response)) {
      case RequestBodies.Reading.Refused() -> {}
      case RequestBodies.Reading.None() -> chain.doFilter(request, response);
      case RequestBodies.Reading.Body(byte[] bytes) ->
          chain.doFilter(new BufferedRequest(request, bytes), response);
    }
  }
}
