package io.firstcome.bootstrap.webhook;

import io.firstcome.bootstrap.load.AddressRange;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * The addresses that webhooks may have: the public ones. An operator who could call others would
 * reach servers that trust the network of the service.
 *
 * <p>An IPv4 address in an IPv6 one, as in {@code ::ffff:10.0.0.1}, is an IPv4 address in Java.
 *
 * @see <a href="https://www.iana.org/assignments/iana-ipv4-special-registry">IPv4 special-purpose
 *     addresses</a>
 * @see <a href="https://www.iana.org/assignments/iana-ipv6-special-registry">IPv6 special-purpose
 *     addresses</a>
 */
final class CallableAddresses {

  private static final List<AddressRange> NOT_PUBLIC_IPV4 =
      ranges(
          "0.0.0.0/8",
          "10.0.0.0/8",
          // Of providers, behind their address translation.
          "100.64.0.0/10",
          "127.0.0.0/8",
          // Link-local, also the metadata of cloud providers.
          "169.254.0.0/16",
          // Another address of such metadata.
          "168.63.129.16",
          "172.16.0.0/12",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "192.168.0.0/16",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          // Multicast, reserved, and broadcast.
          "224.0.0.0/3");

  /** All others are local, multicast, translations of IPv4, or not assigned. */
  private static final AddressRange GLOBAL_IPV6 = AddressRange.parse("2000::/3");

  private static final List<AddressRange> NOT_PUBLIC_IPV6 =
      ranges(
          // Of protocols, also Teredo, which has an IPv4 address in it.
          "2001::/23",
          "2001:db8::/32",
          // 6to4, which has an IPv4 address in it.
          "2002::/16",
          "3fff::/20");

  private final List<AddressRange> allowed;

  /**
   * @param allowed private ones that may be called
   */
  CallableAddresses(List<AddressRange> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  private static List<AddressRange> ranges(String... texts) {
    return List.of(texts).stream().map(AddressRange::parse).toList();
  }

  boolean contain(InetAddress address) {
    return isIn(allowed, address) || isPublic(address);
  }

  private static boolean isPublic(InetAddress address) {
    return address instanceof Inet4Address
        ? !isIn(NOT_PUBLIC_IPV4, address)
        : GLOBAL_IPV6.contains(address) && !isIn(NOT_PUBLIC_IPV6, address);
  }

  private static boolean isIn(List<AddressRange> ranges, InetAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }
}
