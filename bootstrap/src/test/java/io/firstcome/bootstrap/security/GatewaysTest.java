package io.firstcome.bootstrap.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.domain.coupon.StockBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.Ssl.ClientAuth;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

class GatewaysTest {

  private static final List<String> SECRETS = List.of("x".repeat(GatewaySecrets.MIN_LENGTH));
  private static final List<String> CERTIFICATES = List.of("CN=edge");
  private static final List<String> NONE = List.of();

  private final ServerProperties server = new ServerProperties();
  private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

  GatewaysTest() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    bundles.registerBundle("server", SslBundle.of(SslStoreBundle.of(store, null, store)));
    var ssl = Ssl.forBundle("server");
    ssl.setClientAuth(ClientAuth.NEED);
    server.setSsl(ssl);
  }

  private Gateways of(
      List<String> secrets, List<String> certificates, @Nullable List<String> proxies) {
    return Gateways.of(
        new SecurityProperties(secrets, certificates, List.of(), List.of()),
        server,
        new FirstcomeProperties(
            4, Map.of(), null, false, StockBackend.REDIS, 0, false, proxies, Duration.ZERO, "one"),
        bundles);
  }

  private void assertNeedsProxies(List<String> secrets, List<String> certificates) {
    assertThatThrownBy(() -> of(secrets, certificates, null))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining("firstcome.proxies");
  }

  @Test
  void the_addresses_of_a_gateway_on_another_machine_must_be_named() {
    assertNeedsProxies(SECRETS, NONE);
    assertNeedsProxies(NONE, CERTIFICATES);

    assertThat(of(NONE, CERTIFICATES, List.of("10.0.0.1")).isEmpty()).isFalse();
  }

  @Test
  void a_gateway_on_this_machine_needs_no_address() {
    server.setAddress(InetAddress.getLoopbackAddress());

    assertThat(of(SECRETS, NONE, null).isEmpty()).isFalse();
    assertThat(of(NONE, CERTIFICATES, null).isEmpty()).isFalse();
  }

  @Test
  void without_secrets_and_certificates_there_is_no_gateway() {
    assertThat(of(NONE, NONE, null).isEmpty()).isTrue();
  }
}
