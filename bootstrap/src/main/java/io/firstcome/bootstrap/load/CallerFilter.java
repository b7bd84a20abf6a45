package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.connector.RequestFilter;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.wiring.RequestLimits;
import io.firstcome.domain.port.ConnectionShares;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Refuses requests of callers that send too many (429), and requests beyond those that can be
 * handled at a time (503). Selects the connections to the database that a request uses.
 *
 * <p>An answer is written after the request counts as handled, so that a client which reads it
 * slowly occupies nothing but its connection, which is closed after a while.
 */
@Component
class CallerFilter extends RequestFilter {

  private static final int MOST_CALLERS = 50_000;

  /** The id of operators that state none, which only read; no user has it. */
  private static final String UNNAMED = "";

  private final Map<RequestKind, TokenBuckets> buckets = new EnumMap<>(RequestKind.class);
  private final ClientAddresses addresses;
  private final ConcurrencyLimits concurrency;
  private final ConnectionShares shares;
  private final RefusedRequests refused;

  CallerFilter(
      RequestLimits limits,
      ClientAddresses addresses,
      ConcurrencyLimits concurrency,
      ConnectionShares shares,
      RefusedRequests refused) {
    for (var kind : RequestKind.values()) {
      int limit =
          switch (kind) {
            case CLAIM, JOIN -> limits.claims();
            case COUPON, ROOM, STREAM, READ -> limits.reads();
            case REDEMPTION -> limits.redemptions();
            case SHOP -> limits.shop();
            case OPERATOR, CONSOLE, CONSOLE_STREAM -> limits.operator();
          };
      buckets.put(kind, new TokenBuckets(kind.label(), limit, limits.window(), MOST_CALLERS));
    }
    this.addresses = addresses;
    this.concurrency = concurrency;
    this.shares = shares;
    this.refused = refused;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var caller = Caller.find().orElse(null);
    if (caller == null) {
      // A probe, if the deployment has put them on the same port.
      chain.doFilter(request, response);
      return;
    }
    var kind = RequestKind.of(request.getMethod(), request.getRequestURI());
    var id = id(kind, caller);
    if (id != null) {
      var quota = Objects.requireNonNull(buckets.get(kind)).count(id);
      if (quota.isExceeded()) {
        refused.tooManyOfCaller(request, response, quota);
        return;
      }
      if (quota.isScarce()) {
        RefusedRequests.state(response, quota);
      }
    }
    var permit = concurrency.acquire(kind, requester(kind, caller, request)).orElse(null);
    if (permit == null) {
      refused.overloaded(request, response, kind);
      return;
    }
    permit.attachTo(request);
    try (var _ = shares.use(kind.share())) {
      if (kind.isWrittenDirectly()) {
        chain.doFilter(request, response);
      } else {
        var answer = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, answer);
        permit.release();
        answer.copyBodyToResponse();
      }
    } finally {
      permit.release();
    }
  }

  /** The id by which requests of the kind are counted, or null if the caller does not have it. */
  private static @Nullable String id(RequestKind kind, Caller caller) {
    if (kind == RequestKind.SHOP) {
      return caller.shopId() == null ? null : caller.shopId().value();
    }
    if (caller.userId() != null) {
      return caller.userId().value();
    }
    return kind == RequestKind.OPERATOR ? UNNAMED : null;
  }

  private @Nullable Requester requester(
      RequestKind kind, Caller caller, HttpServletRequest request) {
    var id = id(kind, caller);
    if (id != null) {
      return new Requester(type(kind), id);
    }
    if (caller.shopId() != null) {
      return new Requester(Requester.Type.SHOP, caller.shopId().value());
    }
    return addresses
        .find(request)
        .map(address -> new Requester(Requester.Type.ADDRESS, address))
        .orElse(null);
  }

  private static Requester.Type type(RequestKind kind) {
    return switch (kind) {
      case SHOP -> Requester.Type.SHOP;
      case OPERATOR, CONSOLE, CONSOLE_STREAM -> Requester.Type.OPERATOR;
      default -> Requester.Type.CUSTOMER;
    };
  }
}
