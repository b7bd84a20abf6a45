package io.firstcome.bootstrap.security;

import jakarta.servlet.http.HttpServletRequest;

/** The limit of attempts to sign in. */
public interface SignInLimit {

  /**
   * Counts an attempt.
   *
   * @param name which the visitor states
   * @return whether it may be made
   */
  boolean allows(HttpServletRequest request, String name);
}
