package io.firstcome.bootstrap.rest.page;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Where the page of a coupon leads to. Addresses are {@code http} or {@code https}, or begin with a
 * slash.
 *
 * @param signIn where customers sign in; null if the page has no link for it
 * @param use where customers use the coupon, such as the cart; null if the page has no link for it
 */
@ConfigurationProperties("firstcome.page")
record PageProperties(@Nullable URI signIn, @Nullable URI use) {

  static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("firstcome.page");

  private static final Set<ConfigurationPropertyName> KNOWN =
      Set.of(PREFIX.append("sign-in"), PREFIX.append("use"));

  /**
   * The settings.
   *
   * @throws InvalidSettingException if an address is none that a link may have
   */
  PageProperties {
    requireLink("firstcome.page.sign-in", signIn);
    requireLink("firstcome.page.use", use);
  }

  static boolean isKnown(ConfigurationPropertyName name) {
    return KNOWN.stream().anyMatch(name::equals);
  }

  private static void requireLink(String setting, @Nullable URI address) {
    if (address == null) {
      return;
    }
    var scheme = address.getScheme();
    boolean isLink =
        scheme == null
            ? address.toString().startsWith("/")
            : scheme.equals("https") || scheme.equals("http");
    if (!isLink) {
      throw new InvalidSettingException(
          "%s must be an http or https address, or begin with a slash: %s"
              .formatted(setting, address));
    }
  }
}
