package io.firstcome.bootstrap.webhook;

import io.firstcome.bootstrap.load.AddressRange;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Where webhooks may be.
 *
 * @param plainHttp whether addresses may begin with {@code http://}
 * @param allowedAddresses private addresses that may be called: addresses, or networks such as
 *     {@code 10.0.0.0/8}
 */
@ConfigurationProperties("firstcome.webhooks")
record WebhookProperties(
    @DefaultValue("false") boolean plainHttp, @DefaultValue List<String> allowedAddresses) {

  static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("firstcome.webhooks");

  private static final ConfigurationPropertyName ADDRESSES = PREFIX.append("allowed-addresses");

  private static final Set<ConfigurationPropertyName> KNOWN =
      Set.of(PREFIX.append("plain-http"), ADDRESSES);

  static boolean isKnown(ConfigurationPropertyName name) {
    return KNOWN.stream().anyMatch(name::equals) || ADDRESSES.isParentOf(name);
  }

  /**
   * The addresses that may be called though they are private.
   *
   * @throws InvalidSettingException if one is neither an address nor a network
   */
  List<AddressRange> allowed() {
    return allowedAddresses.stream().map(WebhookProperties::parsed).toList();
  }

  private static AddressRange parsed(String text) {
    try {
      return AddressRange.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException(
          "firstcome.webhooks.allowed-addresses must have addresses or networks such as 10.0.0.0/8: "
              + text);
    }
  }
}
