package io.firstcome.bootstrap.security;

import jakarta.servlet.http.HttpServletRequest;

/** How often somebody may try to sign in with a password. */
public interface SignInLimit {

  /**
   * Counts an attempt.
   *
   * @param name which the visitor states
   * @return whether it may be made
   */
  boolean allows(HttpServletRequest request, String name);
}
