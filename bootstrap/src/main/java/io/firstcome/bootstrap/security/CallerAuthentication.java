package io.firstcome.bootstrap.security;

import java.io.Serial;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** The authentication of a request whose caller is known. */
final class CallerAuthentication extends AbstractAuthenticationToken {

  @Serial private static final long serialVersionUID = 1L;

  private final transient Caller caller;
  private final Instant expiresAt;

  /**
   * @param expiresAt until when the same credentials authenticate the same caller
   */
  CallerAuthentication(Caller caller, Instant expiresAt) {
    super(caller.scopes());
    this.caller = caller;
    this.expiresAt = expiresAt;
    super.setAuthenticated(true);
  }

  Instant expiresAt() {
    return expiresAt;
  }

  @Override
  public Caller getPrincipal() {
    return caller;
  }

  @Override
  public String getCredentials() {
    return "";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CallerAuthentication same && same.caller.equals(caller);
  }

  @Override
  public int hashCode() {
    return Objects.hash(caller);
  }
}
