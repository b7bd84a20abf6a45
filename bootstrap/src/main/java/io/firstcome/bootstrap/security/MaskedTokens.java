package io.firstcome.bootstrap.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRequestHandler;
import org.springframework.security.web.csrf.XorCsrfTokenRequestAttributeHandler;

/**
 * The tokens of forms, masked as Spring Security does it. A token that is no text once its mask is
 * removed is a wrong one, and no error.
 */
final class MaskedTokens implements CsrfTokenRequestHandler {

  private final CsrfTokenRequestHandler handler = new XorCsrfTokenRequestAttributeHandler();

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, Supplier<CsrfToken> token) {
    handler.handle(request, response, token);
  }

  @Override
  public @Nullable String resolveCsrfTokenValue(HttpServletRequest request, CsrfToken token) {
    try {
      return handler.resolveCsrfTokenValue(request, token);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
