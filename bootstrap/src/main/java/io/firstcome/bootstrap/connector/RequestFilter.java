package io.firstcome.bootstrap.connector;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * A filter of each request, and not of the dispatches to an error page. Spring's {@code
 * OncePerRequestFilter} does more, which takes longer than the filters of each claim themselves.
 */
public abstract class RequestFilter implements Filter {

  @Override
  public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    filter((HttpServletRequest) request, (HttpServletResponse) response, chain);
  }

  /** Answers the request, or passes it on. */
  protected abstract void filter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException;
}
