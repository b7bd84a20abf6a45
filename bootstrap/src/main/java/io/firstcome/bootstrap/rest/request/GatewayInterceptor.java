package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.rest.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.ShopId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Accepts only requests of the gateway, and reads the caller's identity from its headers. The
 * identity is never read from a body or a query.
 *
 * <p>It is an interceptor and not a filter, so that one match of the path selects both the handler
 * and this guard: no spelling of a path reaches a handler without the guard.
 */
@Component
public class GatewayInterceptor implements HandlerInterceptor {

  private static final String CALLER = Caller.class.getName();

  private final byte[] secret;

  GatewayInterceptor(SecurityProperties properties) {
    this.secret = properties.gatewaySecret().getBytes(StandardCharsets.UTF_8);
  }

  /** The caller of a request that was accepted. */
  public static Caller caller(HttpServletRequest request) {
    if (request.getAttribute(CALLER) instanceof Caller caller) {
      return caller;
    }
    throw new IllegalStateException("no GatewayInterceptor guards the handler of this request");
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    request.setAttribute(CALLER, authenticated(request));
    return true;
  }

  private Caller authenticated(HttpServletRequest request) {
    var given = request.getHeader("X-Gateway-Secret");
    if (given == null || !MessageDigest.isEqual(secret, given.getBytes(StandardCharsets.UTF_8))) {
      throw Problem.unauthenticated("The request did not come through the gateway.");
    }
    return new Caller(
        id(request, "X-User-Id", UserId::new),
        id(request, "X-Shop-Id", ShopId::new),
        scopes(request.getHeader("X-Scopes")));
  }

  /** The id in a header, or null; an empty header is as none. */
  private static <T> @Nullable T id(
      HttpServletRequest request, String name, Function<String, T> reader) {
    var headers = request.getHeaders(name);
    if (!headers.hasMoreElements()) {
      return null;
    }
    var header = headers.nextElement();
    if (headers.hasMoreElements()) {
      throw Problem.malformed(name + " must not be repeated");
    }
    if (header.isEmpty()) {
      return null;
    }
    try {
      return reader.apply(header);
    } catch (IllegalArgumentException e) {
      throw Problem.malformed(name + ": " + e.getMessage());
    }
  }

  private static Set<String> scopes(@Nullable String header) {
    return header == null ? Set.of() : new HashSet<>(List.of(header.trim().split(" +")));
  }
}
