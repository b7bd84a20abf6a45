package io.firstcome.bootstrap.trace;

import io.firstcome.bootstrap.connector.RequestFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Notes when a request began, before it is authenticated and waits for its turn. It knows nothing
 * of the claim then, so it does so for each request.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RequestTimes extends RequestFilter {

  private static final String BEGIN = RequestTimes.class.getName();

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    request.setAttribute(BEGIN, System.nanoTime());
    chain.doFilter(request, response);
  }

  /** The time since the request began. */
  static Duration since(HttpServletRequest request) {
    return request.getAttribute(BEGIN) instanceof Long begin
        ? Duration.ofNanos(System.nanoTime() - begin)
        : Duration.ZERO;
  }
}
