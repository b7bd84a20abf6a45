package io.firstcome.bootstrap.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.load.AddressRange;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallableAddressesTest {

  private static boolean contain(String address, String... allowed) {
    var ranges = List.of(allowed).stream().map(AddressRange::parse).toList();
    return new CallableAddresses(ranges).contain(InetAddress.ofLiteral(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.8.8.8",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.168.1.1",
        "198.18.0.1",
        "203.0.113.9",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255"
      })
  void private_addresses_of_ipv4_cannot_be_called(String address) {
    assertThat(contain(address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "100::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "2001::1",
        "2001:db8::1",
        "2002:a00:1::1",
        "3fff::1",
        "5f00::1"
      })
  void private_addresses_of_ipv6_cannot_be_called(String address) {
    assertThat(contain(address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "223.255.255.255",
        "::ffff:1.1.1.1",
        "2606:4700:4700::1111",
        "2a00:1450:4001:82a::200e"
      })
  void public_addresses_can_be_called(String address) {
    assertThat(contain(address)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.2.3", "127.0.0.1", "fd00::7"})
  void an_allowed_network_can_be_called_and_no_other(String address) {
    assertThat(contain(address, "10.1.0.0/16", "127.0.0.1", "fd00::/64")).isTrue();
    assertThat(contain(address, "10.2.0.0/16", "127.0.0.2", "fd01::/64")).isFalse();
  }
}
