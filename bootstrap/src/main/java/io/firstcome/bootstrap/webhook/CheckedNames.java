package io.firstcome.bootstrap.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Looks up names, and refuses those with an address that must not be called. The connection is made
 * to the addresses that were checked: a second look-up could have other ones.
 */
final class CheckedNames implements DnsResolver {

  private final CallableAddresses addresses;

  CheckedNames(CallableAddresses addresses) {
    this.addresses = addresses;
  }

  /**
   * The addresses of a name, or an address itself.
   *
   * @throws RefusedAddressException if one of them must not be called
   */
  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    var all = InetAddress.getAllByName(host);
    for (var address : all) {
      if (!addresses.contain(address)) {
        throw new RefusedAddressException();
      }
    }
    return all;
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
