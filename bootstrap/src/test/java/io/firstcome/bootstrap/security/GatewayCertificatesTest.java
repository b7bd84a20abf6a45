package io.firstcome.bootstrap.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.Ssl.ClientAuth;
import org.springframework.boot.web.server.Ssl.ServerNameSslBundle;

class GatewayCertificatesTest {

  private static final String PRIVATE = "private";
  private static final String PUBLIC = "public";

  private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

  GatewayCertificatesTest() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    bundles.registerBundle(PRIVATE, SslBundle.of(SslStoreBundle.of(store, null, store)));
    bundles.registerBundle(PUBLIC, SslBundle.of(SslStoreBundle.of(store, null, null)));
  }

  private static Ssl ssl(String bundle, @Nullable ClientAuth clientAuth) {
    var ssl = Ssl.forBundle(bundle);
    ssl.setClientAuth(clientAuth);
    return ssl;
  }

  private GatewayCertificates of(@Nullable Ssl ssl, String... subjects) {
    return new GatewayCertificates(List.of(subjects), ssl, bundles);
  }

  private void assertRefused(String reason, @Nullable Ssl ssl, String... subjects) {
    assertThatThrownBy(() -> of(ssl, subjects))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void a_name_is_a_gateways_if_all_its_parts_are_equal_and_in_the_same_order() {
    var gateways = of(ssl(PRIVATE, ClientAuth.WANT), "CN=edge, O=Example", "CN=b+OU=c,O=Example");

    assertThat(gateways.contains(new X500Principal("CN=edge,O=Example"))).isTrue();
    assertThat(gateways.contains(new X500Principal("cn=EDGE,  o=example"))).isTrue();
    assertThat(gateways.contains(new X500Principal("OU=c+CN=b,O=Example"))).isTrue();
    assertThat(gateways.contains(new X500Principal("O=Example,CN=edge"))).isFalse();
    assertThat(gateways.contains(new X500Principal("CN=edge"))).isFalse();
    assertThat(gateways.contains(new X500Principal("CN=edge,O=Example,C=DE"))).isFalse();
    assertThat(gateways.contains(new X500Principal("CN=edge\\,O\\=Example"))).isFalse();
    assertThat(gateways.contains(new X500Principal(""))).isFalse();
  }

  @Test
  void without_subjects_no_tls_is_needed() {
    assertThat(of(null).isEmpty()).isTrue();
    assertThat(of(ssl(PUBLIC, null)).isEmpty()).isTrue();
  }

  @Test
  void a_subject_that_is_no_name_is_refused() {
    for (var wrong : new String[] {"", " ", "gateway", "X=", "CN=a,,"}) {
      assertRefused("must be subjects such as", ssl(PRIVATE, ClientAuth.NEED), wrong);
    }
  }

  @Test
  void a_server_that_does_not_ask_for_certificates_is_refused() {
    var disabled = ssl(PRIVATE, ClientAuth.NEED);
    disabled.setEnabled(false);

    assertRefused("server.ssl.client-auth", null, "CN=edge");
    assertRefused("server.ssl.client-auth", ssl(PRIVATE, null), "CN=edge");
    assertRefused("server.ssl.client-auth", ssl(PRIVATE, ClientAuth.NONE), "CN=edge");
    assertRefused("server.ssl.client-auth", disabled, "CN=edge");
  }

  @Test
  void a_server_that_trusts_public_authorities_is_refused() {
    var byName = ssl(PRIVATE, ClientAuth.NEED);
    byName.setServerNameBundles(List.of(new ServerNameSslBundle("api.example.com", PUBLIC)));

    assertRefused("trust store", ssl(PUBLIC, ClientAuth.NEED), "CN=edge");
    assertRefused("trust store", byName, "CN=edge");
  }
}
