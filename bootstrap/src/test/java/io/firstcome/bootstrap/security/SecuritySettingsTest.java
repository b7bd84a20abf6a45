package io.firstcome.bootstrap.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.security.SecurityProperties.TrustedIssuer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SecuritySettingsTest {

  private static SecurityConfiguration configured(String variable) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                Map.of(variable, "any value")));
    return new SecurityConfiguration(environment);
  }

  private static TrustedIssuer issuer(String keys) {
    return new TrustedIssuer(
        "https://id.example.com/", "firstcome", keys, null, "sub", List.of(), Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FIRSTCOME_SECURITY_GATEWAYSECRET",
        "FIRSTCOME_SECURITY_ISSUER",
        "FIRSTCOME_SECURITY_ISSUERS_0_JWKSURI",
        "FIRSTCOME_SECURITY_ISSUERS_0"
      })
  void a_misspelled_setting_is_refused(String variable) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> configured(variable))
        .withMessageStartingWith("there is no setting firstcome.security.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FIRSTCOME_SECURITY_GATEWAYSECRETS",
        "FIRSTCOME_SECURITY_GATEWAYSECRETS_0",
        "FIRSTCOME_SECURITY_GATEWAYCERTIFICATES",
        "FIRSTCOME_SECURITY_ISSUERS_0_JWKSETURI",
        "FIRSTCOME_SECURITY_ISSUERS_11_SCOPES_0",
        "FIRSTCOME_SERVICE_HOST"
      })
  void other_settings_are_not(String variable) {
    assertThat(configured(variable)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://id.example.com/keys",
        "http://localhost.example.com/keys",
        "http://127.0.0.1@id.example.com/keys",
        "file:///etc/keys",
        "file://localhost/etc/keys",
        "keys"
      })
  void keys_are_not_read_from_an_address_where_they_could_be_replaced(String keys) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> TokenDecoders.of(issuer(keys), InstantSource.system()))
        .withMessageContaining("jwk-set-uri");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://id.example.com/keys",
        "http://localhost:9000/keys",
        "http://127.0.0.1:9000/keys",
        "http://[::1]:9000/keys"
      })
  void keys_are_read_by_https_or_on_the_same_machine(String keys) {
    assertThatCode(() -> TokenDecoders.of(issuer(keys), InstantSource.system()))
        .doesNotThrowAnyException();
  }

  @Test
  void an_issuer_is_named_once() {
    var twice = List.of(issuer("https://id.example.com/a"), issuer("https://id.example.com/b"));

    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> SecurityConfiguration.verifiers(twice, InstantSource.system()))
        .withMessageContaining("https://id.example.com/");
  }
}
