package io.firstcome.bootstrap.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressesTest {

  private static final String PROXY = "10.1.2.3";
  private static final String CLIENT = "198.51.100.7";

  private final ClientAddresses addresses =
      new ClientAddresses(List.of("10.0.0.0/8", "2001:db8:ffff::1"));

  @Test
  void a_client_that_connects_directly_has_the_address_of_its_connection() {
    assertThat(addresses.find(CLIENT, List.of())).contains(CLIENT);
  }

  @Test
  void a_client_cannot_state_its_address() {
    assertThat(addresses.find(CLIENT, List.of("203.0.113.1"))).contains(CLIENT);
    assertThat(addresses.find(PROXY, List.of("203.0.113.1, " + CLIENT))).contains(CLIENT);
    assertThat(addresses.find(PROXY, List.of("203.0.113.1", CLIENT))).contains(CLIENT);
    assertThat(addresses.find(PROXY, List.of("10.9.9.9, " + CLIENT))).contains(CLIENT);
  }

  @Test
  void the_client_is_found_behind_several_proxies() {
    assertThat(addresses.find("2001:db8:ffff::1", List.of(CLIENT + ",10.4.4.4 , 10.5.5.5")))
        .contains(CLIENT);
  }

  @Test
  void a_proxy_that_forwards_no_request_has_no_client() {
    assertThat(addresses.find(PROXY, List.of())).isEmpty();
    assertThat(addresses.find(PROXY, List.of(" , "))).isEmpty();
    assertThat(addresses.find(PROXY, List.of("10.4.4.4"))).isEmpty();
  }

  @Test
  void all_addresses_of_an_ipv6_network_are_one_client() {
    var one = addresses.find("2001:db8:1:2::1", List.of());

    assertThat(addresses.find(PROXY, List.of("2001:db8:1:2:ffff:ffff:ffff:ffff"))).isEqualTo(one);
    assertThat(addresses.find(PROXY, List.of("2001:db8:1:3::1"))).isNotEqualTo(one);
  }

  @Test
  void a_proxy_may_append_the_port_of_the_client() {
    assertThat(addresses.find(PROXY, List.of(CLIENT + ":50123"))).contains(CLIENT);
    assertThat(addresses.find(PROXY, List.of(CLIENT + ", 10.4.4.4:443"))).contains(CLIENT);
    var network = addresses.find(PROXY, List.of("2001:db8:1:2::1"));
    assertThat(addresses.find(PROXY, List.of("[2001:db8:1:2::1]:50123"))).isEqualTo(network);
    assertThat(addresses.find(PROXY, List.of("[2001:db8:1:2::1]"))).isEqualTo(network);
  }

  @Test
  void texts_that_are_no_addresses_are_one_client() {
    assertThat(addresses.find(PROXY, List.of("unknown")))
        .isEqualTo(addresses.find(PROXY, List.of("_hidden")))
        .contains("unknown");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "proxy.example.com", "10.0.0.0/33", "10.0.0.0/x"})
  void a_proxy_that_is_neither_an_address_nor_a_network_is_rejected(String proxy) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> new ClientAddresses(List.of(proxy)))
        .withMessageContaining("firstcome.proxies");
  }
}
