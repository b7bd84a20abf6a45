package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.security.SecurityProperties.TrustedIssuer;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.shop.ShopId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/**
 * The callers of an issuer's tokens: the user in the issuer's claim for users, the shop in the
 * claim {@code shop}, and the scopes in {@code scope} (RFC 8693, section 4.2) or {@code scp}.
 */
final class TokenCallers implements Converter<Jwt, CallerAuthentication> {

  private final String userClaim;
  private final Set<Scope> permitted;

  TokenCallers(TrustedIssuer issuer) {
    this.userClaim = issuer.userClaim();
    this.permitted = Scope.ofLabels(issuer.scopes());
  }

  /**
   * The caller of a verified token.
   *
   * @throws InvalidBearerTokenException if it names a user or a shop by an invalid id
   */
  @Override
  public CallerAuthentication convert(Jwt token) {
    var scopes = Scope.ofLabels(labels(token));
    scopes.retainAll(permitted);
    var caller =
        new Caller(id(token, userClaim, UserId::ofCaller), id(token, "shop", ShopId::new), scopes);
    return new CallerAuthentication(
        caller, Objects.requireNonNullElse(token.getExpiresAt(), Instant.EPOCH));
  }

  private static <T> @Nullable T id(Jwt token, String claim, Function<String, T> reader) {
    if (!token.hasClaim(claim)) {
      return null;
    }
    try {
      return reader.apply(String.valueOf(token.<Object>getClaim(claim)));
    } catch (IllegalArgumentException e) {
      throw new InvalidBearerTokenException("claim " + claim + ": " + e.getMessage(), e);
    }
  }

  private static Collection<String> labels(Jwt token) {
    Object scope = token.hasClaim("scope") ? token.getClaim("scope") : token.getClaim("scp");
    return switch (scope) {
      case String text -> List.of(text.trim().split(" +"));
      case Collection<?> several -> several.stream().map(String::valueOf).toList();
      case null, default -> List.of();
    };
  }
}
