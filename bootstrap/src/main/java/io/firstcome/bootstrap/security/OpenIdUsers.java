package io.firstcome.bootstrap.security;

import io.firstcome.domain.issuance.UserId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserService;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUserAuthority;

/** Users of the console whom an OpenID provider has authenticated. */
final class OpenIdUsers {

  private final ConsoleProperties properties;

  OpenIdUsers(ConsoleProperties properties) {
    this.properties = properties;
  }

  /**
   * Loads a user as Spring Security does, except that a user fails to sign in without the claim of
   * the name, which is an unexpected error there, or with a name that the audit trail cannot have.
   */
  static OAuth2UserService<OidcUserRequest, OidcUser> service() {
    var users = new OidcUserService();
    return request -> {
      try {
        var user = users.loadUser(request);
        var _ = UserId.ofCaller(user.getName());
        return user;
      } catch (IllegalArgumentException e) {
        throw new OAuth2AuthenticationException(
            new OAuth2Error(OAuth2ErrorCodes.INVALID_TOKEN), e.getMessage(), e);
      }
    };
  }

  /** The scopes of the roles of a user. */
  Collection<GrantedAuthority> scopes(Collection<? extends GrantedAuthority> granted) {
    Set<GrantedAuthority> scopes = new HashSet<>();
    for (var authority : granted) {
      if (authority instanceof OidcUserAuthority user) {
        var roles = user.getIdToken().getClaimAsStringList(properties.rolesClaim());
        if (roles != null && roles.contains(properties.viewerRole())) {
          scopes.addAll(ConsoleRole.VIEWER.authorities());
        }
        if (roles != null && roles.contains(properties.operatorRole())) {
          scopes.addAll(ConsoleRole.OPERATOR.authorities());
        }
      }
    }
    return scopes;
  }
}
