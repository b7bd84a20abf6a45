package io.firstcome.bootstrap.connector;

import io.firstcome.domain.port.ConnectionShares;
import io.firstcome.domain.port.ConnectionShares.Share;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Selects the share of the connections to the database by the path of the request. */
@Component
class ShareFilter extends OncePerRequestFilter {

  private final ConnectionShares shares;

  ShareFilter(ConnectionShares shares) {
    this.shares = shares;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try (var _ = shares.use(share(request.getMethod(), request.getRequestURI()))) {
      chain.doFilter(request, response);
    }
  }

  /**
   * The share for a request. A path with another spelling, such as an escaped letter, is taken for
   * one of a customer's; nothing depends on it but which requests wait for each other.
   */
  static Share share(String method, String path) {
    if (path.startsWith("/api/v1/admin/")) {
      return Share.OPERATORS;
    }
    if (path.startsWith("/api/v1/redemptions")) {
      return Share.SHOPS;
    }
    return HttpMethod.POST.matches(method) && path.endsWith("/claims")
        ? Share.CLAIMS
        : Share.CUSTOMERS;
  }
}
