package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Who may sign in to the console. Without any user here and any client registration of Spring
 * Security ({@code spring.security.oauth2.client.registration}) there is no console.
 *
 * @param users who sign in by a password, by name
 * @param rolesClaim the claim of an ID token with the roles of who signs in by OpenID Connect, a
 *     list of texts
 * @param viewerRole the role in that claim for who may only look
 * @param operatorRole the role in that claim for who may change coupons
 */
@ConfigurationProperties("firstcome.console")
record ConsoleProperties(
    @DefaultValue Map<String, User> users,
    @DefaultValue("roles") String rolesClaim,
    @DefaultValue("firstcome-viewer") String viewerRole,
    @DefaultValue("firstcome-operator") String operatorRole) {

  static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("firstcome.console");

  /**
   * A user who signs in by a password.
   *
   * @param password as Spring Security encodes it, such as <code>{bcrypt}$2a$…</code>
   */
  record User(String password, @DefaultValue("VIEWER") ConsoleRole role) {}

  /**
   * The settings.
   *
   * @throws InvalidSettingException if a password is not encoded
   */
  ConsoleProperties {
    users.forEach((name, user) -> {
      if (!user.password().startsWith("{")) {
        throw new InvalidSettingException(
            "firstcome.console.users.%s.password must be encoded, and begin with {bcrypt}"
                .formatted(name));
      }
    });
  }

  /** Whether these properties have a member of that name, below {@link #PREFIX}. */
  static boolean isKnown(ConfigurationPropertyName name) {
    int member = PREFIX.getNumberOfElements();
    var first = name.getElement(member, Form.UNIFORM);
    return switch (name.getNumberOfElements() - member) {
      case 1 ->
          first.equals("rolesclaim") || first.equals("viewerrole") || first.equals("operatorrole");
      case 3 -> {
        var last = name.getLastElement(Form.UNIFORM);
        yield first.equals("users") && (last.equals("password") || last.equals("role"));
      }
      default -> false;
    };
  }
}
