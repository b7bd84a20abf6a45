package io.firstcome.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisWiringTest {

  private static void require(String setting, String value, String addresses) {
    RedisWiring.requireConfiguredTls(
        LimitsTest.environment(
            Map.of(
                "spring.rabbitmq.ssl." + setting, value, "spring.rabbitmq.addresses", addresses)));
  }

  @ParameterizedTest
  @CsvSource({"bundle,servers", "enabled,true"})
  void an_address_without_tls_contradicts_settings_of_tls(String setting, String value) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> require(setting, value, "amqp://one:5671,amqps://two:5671"))
        .withMessageContaining("amqps://");
  }

  @ParameterizedTest
  @CsvSource({"bundle,servers", "enabled,true"})
  void other_addresses_use_the_settings_of_tls(String setting, String value) {
    for (var addresses : new String[] {"amqps://one:5671", "one:5671", ""}) {
      assertThatCode(() -> require(setting, value, addresses)).doesNotThrowAnyException();
    }
  }

  @ParameterizedTest
  @CsvSource({"bundle,''", "enabled,false"})
  void an_address_without_tls_is_right_without_settings_of_tls(String setting, String value) {
    assertThatCode(() -> require(setting, value, "amqp://one:5672")).doesNotThrowAnyException();
  }
}
