package io.firstcome.bootstrap.security;

import java.util.EnumSet;
import java.util.Set;

/** What somebody who is signed in to the console may do. */
enum ConsoleRole {
  VIEWER(EnumSet.of(Scope.READ)),
  OPERATOR(EnumSet.of(Scope.READ, Scope.DEFINE, Scope.OPERATE, Scope.REVOKE));

  @SuppressWarnings("ImmutableEnumChecker") // Of Set.copyOf.
  private final Set<Scope> scopes;

  ConsoleRole(Set<Scope> scopes) {
    this.scopes = Set.copyOf(scopes);
  }

  Set<Scope> scopes() {
    return scopes;
  }
}
