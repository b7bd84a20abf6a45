package io.firstcome.bootstrap.load;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import jakarta.servlet.http.HttpServletRequest;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the addresses of clients. A proxy appends the address that it was called from to the header
 * {@code X-Forwarded-For}; what stands before that can be forged. So the address of the client is
 * the last one that is not a proxy's.
 */
final class ClientAddresses {

  /** Bytes of an IPv6 address that name a network; a client has all addresses of its network. */
  private static final int NETWORK_BYTES = 8;

  /** Some proxies append the port of the client: {@code 192.0.2.1:80}, {@code [2001:db8::1]:80}. */
  private static final Pattern WITH_PORT =
      Pattern.compile("^(?:([0-9.]+):[0-9]+|\\[([^]]*)](?::[0-9]+)?)$");

  /** Few addresses connect if there are proxies; without them each client does. */
  private static final int MOST_PEERS = 10_000;

  private final List<AddressRange> proxies;

  /** Whether an address is a proxy's, because each request asks. */
  private final LoadingCache<String, Boolean> isProxy;

  /**
   * @param proxies addresses, or networks as in {@code 10.0.0.0/8}
   * @throws InvalidSettingException if one of them is neither
   */
  ClientAddresses(List<String> proxies) {
    this.proxies = proxies.stream().map(ClientAddresses::range).toList();
    this.isProxy = Caffeine.newBuilder().maximumSize(MOST_PEERS).build(this::matchesAny);
  }

  private static AddressRange range(String proxy) {
    try {
      return AddressRange.parse(proxy);
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException(
          "firstcome.proxies must be addresses, or networks such as 10.0.0.0/8: " + proxy);
    }
  }

  /** The address of the client that sent the request, as {@link #find(String, List)}. */
  Optional<String> find(HttpServletRequest request) {
    var forwardedFor = Collections.list(request.getHeaders("X-Forwarded-For"));
    return find(request.getRemoteAddr(), forwardedFor);
  }

  /**
   * The address of the client, or its network if it has an IPv6 address; empty if a proxy sends a
   * request of its own.
   *
   * @param peer the address at the other end of the connection
   * @param forwardedFor the headers {@code X-Forwarded-For}, in their order
   */
  Optional<String> find(String peer, List<String> forwardedFor) {
    if (!isProxy.get(peer)) {
      return Optional.of(network(peer));
    }
    if (forwardedFor.isEmpty()) {
      return Optional.empty();
    }
    return lastHopsFirst(forwardedFor)
        .filter(hop -> !matchesAny(hop))
        .findFirst()
        .map(ClientAddresses::network);
  }

  /** Lazily: only proxies add to the end, and a client can send many hops before that. */
  private static Stream<String> lastHopsFirst(List<String> forwardedFor) {
    return forwardedFor.reversed().stream()
        .flatMap(header -> Arrays.asList(header.split(",")).reversed().stream())
        .map(hop -> WITH_PORT.matcher(hop.trim()).replaceFirst("$1$2"))
        .filter(hop -> !hop.isEmpty());
  }

  private boolean matchesAny(String text) {
    try {
      var address = InetAddress.ofLiteral(text);
      return proxies.stream().anyMatch(proxy -> proxy.contains(address));
    } catch (IllegalArgumentException e) {
      // No address, such as "unknown" (RFC 7239, section 6.2).
      return false;
    }
  }

  /** All texts that are no addresses count as one client's: a proxy sends them for unknown ones. */
  private static String network(String address) {
    try {
      var parsed = InetAddress.ofLiteral(address);
      return parsed instanceof Inet6Address
          ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
          : parsed.getHostAddress();
    } catch (IllegalArgumentException e) {
      return "unknown";
    }
  }
}
