package io.firstcome.bootstrap.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Headers {@code X-Forwarded-For}, one on each line: the client has an address that is no proxy's.
 */
public final class ClientAddressesFuzz {

  private static final String PROXY = "10.1.2.3";
  private static final ClientAddresses ADDRESSES =
      new ClientAddresses(List.of("10.0.0.0/8", "192.0.2.0/25", "2001:db8:ffff::/48"));

  /** An IPv4 address, the first half of an IPv6 address, or no address. */
  private static final Pattern FORM =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-f]{16}|unknown");

  private ClientAddressesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    var text = new String(input, UTF_8);
    var client = ADDRESSES.find(PROXY, List.of(text.split("\n", -1)));
    client.ifPresent(address -> assertThat(address).matches(FORM));
    var only = address(text);
    if (only != null) {
      var expected = isProxy(only) ? Optional.<String>empty() : Optional.of(network(only));
      assertThat(client).isEqualTo(expected);
      assertThat(ADDRESSES.find(text, List.of())).isEqualTo(expected);
    }
  }

  private static @Nullable InetAddress address(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isProxy(InetAddress address) {
    var hex = HexFormat.of().formatHex(address.getAddress());
    return address instanceof Inet4Address
        ? hex.matches("0a.{6}|c00002[0-7].")
        : hex.startsWith("20010db8ffff");
  }

  private static String network(InetAddress address) {
    return address instanceof Inet4Address
        ? address.getHostAddress()
        : HexFormat.of().formatHex(address.getAddress()).substring(0, 16);
  }
}
