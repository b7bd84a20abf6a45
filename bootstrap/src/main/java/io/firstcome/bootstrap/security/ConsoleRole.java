package io.firstcome.bootstrap.security;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** What somebody who is signed in to the console may do. */
enum ConsoleRole {
  VIEWER(EnumSet.of(Scope.READ)),
  OPERATOR(EnumSet.of(Scope.READ, Scope.DEFINE, Scope.OPERATE, Scope.REVOKE));

  @SuppressWarnings("ImmutableEnumChecker") // Of Set.copyOf.
  private final Set<Scope> scopes;

  ConsoleRole(Set<Scope> scopes) {
    this.scopes = Set.copyOf(scopes);
  }

  /** The scopes of the role, as Spring Security names them. */
  List<SimpleGrantedAuthority> authorities() {
    return scopes.stream().map(Scope::label).map(SimpleGrantedAuthority::new).toList();
  }
}
