package io.firstcome.bootstrap.security;

import java.util.List;

/**
 * How somebody can sign in to the console.
 *
 * @param hasPasswords whether there are users with a password
 */
public record SignInMethods(boolean hasPasswords, List<Provider> providers) {

  public SignInMethods {
    providers = List.copyOf(providers);
  }

  /**
   * A provider of OpenID Connect.
   *
   * @param path where signing in by it begins
   * @param name for people
   */
  public record Provider(String path, String name) {}
}
