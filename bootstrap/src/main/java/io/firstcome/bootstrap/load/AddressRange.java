package io.firstcome.bootstrap.load;

import java.net.InetAddress;

/**
 * An address, or a network such as {@code 10.0.0.0/8}. Spring Security's {@code IpAddressMatcher}
 * compares the bytes of IPv4 and IPv6 addresses with each other (as of 7.1.1): {@code a00::1} is in
 * its 10.0.0.0/8, and the match of 32.1.13.184 with 2001:db8::/48 fails.
 *
 * @param first the first address of the network
 * @param bits how many bits all addresses of the network share
 */
public record AddressRange(InetAddress first, int bits) {

  /**
   * Reads an address or a network.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static AddressRange parse(String text) {
    var parts = text.split("/", 2);
    var first = InetAddress.ofLiteral(parts[0]);
    int all = first.getAddress().length * Byte.SIZE;
    int bits = parts.length == 1 ? all : Integer.parseInt(parts[1]);
    if (bits < 0 || bits > all) {
      throw new IllegalArgumentException("a network must have 0 to %d bits".formatted(all));
    }
    return new AddressRange(first, bits);
  }

  /** Whether the address is in the network; one of the other version of IP is not. */
  public boolean contains(InetAddress address) {
    byte[] own = first.getAddress();
    byte[] other = address.getAddress();
    if (own.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < bits; bit += Byte.SIZE) {
      int differences = (own[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & 0xff;
      if (differences >> Math.max(0, Byte.SIZE - (bits - bit)) != 0) {
        return false;
      }
    }
    return true;
  }
}
