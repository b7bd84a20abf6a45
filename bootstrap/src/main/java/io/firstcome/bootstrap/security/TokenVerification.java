package io.firstcome.bootstrap.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/**
 * Verifies bearer tokens. The result is kept for as long as the token is valid, since checking a
 * signature takes longer than a claim, but for five minutes at most, so that a key that its issuer
 * has withdrawn is noticed. Tokens are kept by their hash only.
 */
final class TokenVerification implements AuthenticationManagerResolver<HttpServletRequest> {

  private static final int MOST_KEPT = 20_000;
  private static final Duration LONGEST_KEPT = Duration.ofMinutes(5);

  private final AuthenticationManagerResolver<HttpServletRequest> verifiers;
  private final Cache<String, CallerAuthentication> verified;

  /**
   * @param verifiers of tokens that were not verified yet
   */
  TokenVerification(
      AuthenticationManagerResolver<HttpServletRequest> verifiers, InstantSource clock) {
    this.verifiers = verifiers;
    this.verified =
        Caffeine.newBuilder()
            .maximumSize(MOST_KEPT)
            .expireAfter(
                Expiry.creating((String hash, CallerAuthentication of) ->
                    kept(clock.instant(), of.expiresAt())))
            .build();
  }

  private static Duration kept(Instant now, Instant expiresAt) {
    var left = Duration.between(now, expiresAt);
    return left.compareTo(LONGEST_KEPT) < 0 ? left : LONGEST_KEPT;
  }

  @Override
  public AuthenticationManager resolve(HttpServletRequest request) {
    var verifier = verifiers.resolve(request);
    return token -> authenticate(token, verifier);
  }

  /** Throws what the verifier throws; a token that was rejected is not kept. */
  private Authentication authenticate(Authentication request, AuthenticationManager verifier) {
    if (!(request instanceof BearerTokenAuthenticationToken bearer)) {
      throw new IllegalStateException("not a bearer token: " + request.getClass());
    }
    var hash = hash(bearer.getToken());
    var known = verified.getIfPresent(hash);
    if (known != null) {
      return known;
    }
    if (verifier.authenticate(request) instanceof CallerAuthentication caller) {
      verified.put(hash, caller);
      return caller;
    }
    throw new IllegalStateException("the verifier returned another authentication");
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
