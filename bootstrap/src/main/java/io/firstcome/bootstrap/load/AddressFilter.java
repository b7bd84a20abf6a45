package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.connector.RequestFilter;
import io.firstcome.bootstrap.wiring.RequestLimits;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;

/**
 * Refuses requests of addresses that send too many (429), before callers are authenticated.
 * Attempts to sign in to the console have a lower limit, so that passwords cannot be tried out.
 */
@Component
@Order(SecurityFilterProperties.DEFAULT_FILTER_ORDER - 1)
class AddressFilter extends RequestFilter {

  private static final int MOST_ADDRESSES = 50_000;

  private static final int MOST_SIGN_INS = 20;
  private static final Duration SIGN_IN_WINDOW = Duration.ofMinutes(1);
  private static final String LOGIN = "/console/login";
  private static final String OPENID_CONNECT = "/console/oauth2/";

  private final ClientAddresses addresses;
  private final TokenBuckets buckets;
  private final TokenBuckets signIns;
  private final RefusedRequests refused;

  AddressFilter(ClientAddresses addresses, RequestLimits limits, RefusedRequests refused) {
    this.addresses = addresses;
    this.buckets = new TokenBuckets("address", limits.address(), limits.window(), MOST_ADDRESSES);
    this.signIns = new TokenBuckets("sign-in", MOST_SIGN_INS, SIGN_IN_WINDOW, MOST_ADDRESSES);
    this.refused = refused;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var limit = signsIn(request) ? signIns : buckets;
    var exceeded = addresses.find(request).map(limit::count).filter(Quota::isExceeded);
    if (exceeded.isPresent()) {
      refused.tooMany(request, response, exceeded.get());
    } else {
      chain.doFilter(request, response);
    }
  }

  private static boolean signsIn(HttpServletRequest request) {
    // Decoded: otherwise an escaped character would lift the limit.
    var path = request.getServletPath();
    return (path.equals(LOGIN) && HttpMethod.POST.matches(request.getMethod()))
        || path.startsWith(OPENID_CONNECT);
  }
}
