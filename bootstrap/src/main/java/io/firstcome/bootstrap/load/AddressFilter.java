package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.connector.RequestFilter;
import io.firstcome.bootstrap.security.OwnGateway;
import io.firstcome.bootstrap.wiring.RequestLimits;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Refuses requests of addresses that send too many (429), before their forms are read and callers
 * are authenticated.
 */
@Component
@Order(SecurityFilterProperties.DEFAULT_FILTER_ORDER - 2)
class AddressFilter extends RequestFilter {

  private static final int MOST_ADDRESSES = 50_000;

  private final ClientAddresses addresses;
  private final TokenBuckets buckets;
  private final OwnGateway own;
  private final RefusedRequests refused;

  AddressFilter(
      ClientAddresses addresses, RequestLimits limits, OwnGateway own, RefusedRequests refused) {
    this.addresses = addresses;
    this.own = own;
    this.buckets = new TokenBuckets("address", limits.address(), limits.window(), MOST_ADDRESSES);
    this.refused = refused;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (own.hasSent(request)) {
      chain.doFilter(request, response);
      return;
    }
    var exceeded = addresses.find(request).map(buckets::count).filter(Quota::isExceeded);
    if (exceeded.isPresent()) {
      refused.tooManyOfAddress(request, response, exceeded.get());
    } else {
      chain.doFilter(request, response);
    }
  }
}
