package io.firstcome.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.wiring.LimitsWiring.Limits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LimitsTest {

  private static final String PREFIX = "firstcome.limits.";

  static StandardEnvironment environment(Map<String, Object> properties) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return environment;
  }

  private static Limits bind(Map<String, Object> properties) {
    return Limits.bind(new LimitsBinder(environment(properties)));
  }

  @Test
  void a_limit_that_is_not_set_has_its_default() {
    var limits = bind(Map.of());

    assertThat(limits.application()).isEqualTo(ApplicationLimits.defaults());
    assertThat(limits.database()).isEqualTo(PersistenceLimits.defaults());
  }

  @Test
  void the_server_ends_a_statement_before_the_driver_gives_up() {
    var limits = bind(Map.of());
    var longest = limits.database().transaction();

    assertThat(limits.requireBelowSocketTimeout(longest.plusSeconds(1))).isSameAs(limits);
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> limits.requireBelowSocketTimeout(longest))
        .withMessageContaining("socketTimeout");
  }

  @Test
  void a_property_sets_its_limit_and_no_other() {
    var limits =
        bind(
            Map.of(
                PREFIX + "claims.call-time", "900ms",
                PREFIX + "user-coupons.wrong-codes", "5",
                PREFIX + "rabbit.recorders", 3));

    assertThat(limits.application().claims().callTime()).isEqualTo(Duration.ofMillis(900));
    assertThat(limits.application().claims().waitingTime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(limits.application().userCoupons().wrongCodes()).isEqualTo(5);
    assertThat(limits.rabbit().recorders()).isEqualTo(3);
    assertThat(limits.rabbit().prefix()).isEqualTo("firstcome");
  }

  @Test
  void an_environment_variable_sets_a_limit() {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                Map.of("FIRSTCOME_LIMITS_RECORDING_RELAYBATCH", "32")));

    assertThat(Limits.bind(new LimitsBinder(environment)).application().recording().relayBatch())
        .isEqualTo(32);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"claims.call-tim", "claim.call-time", "redis.replicas", "rabbit.prefix", "x"})
  void a_property_that_sets_no_limit_is_rejected(String name) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> bind(Map.of(PREFIX + name, "1s")))
        .withMessageContaining("there is no setting " + PREFIX + name);
  }

  @ParameterizedTest
  @CsvSource({
    "claims.call-time, 0s, PT0.001S to PT24H",
    "recording.relay-wait, 999us, PT0.001S to PT24H",
    "redis.command-time, 25h, PT0.001S to PT24H",
    "recording.relay-batch, 0, 1 to 3500",
    "recovery.rebuild-page, -1, 1 to 3500",
    "rabbit.recorders, 2000000000, 1 to 64",
    "rabbit.prefetch, 65536, 1 to 65535",
    "claims.lanes, 10000001, 1 to 10000000",
    "claims.lanes, 3000000000, a whole number",
    "claims.call-time, soon, a duration such as 500ms",
  })
  void a_limit_out_of_range_is_rejected(String name, String value, String range) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> bind(Map.of(PREFIX + name, value)))
        .withMessageContaining(PREFIX + name + " must be " + range);
  }

  @ParameterizedTest
  @CsvSource({
    "rabbit.prefetch, 2, rabbit: prefetch must be",
    "requests.window, 999ms, requests: window must be",
    "load.least-claims, 6000, load: least-claims (6000) and",
  })
  void a_limit_that_its_group_rejects_is_reported_with_the_group(
      String name, String value, String message) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> bind(Map.of(PREFIX + name, value)))
        .withMessageContaining(PREFIX + message);
  }

  record Other(int number, boolean flag) {}

  @Test
  void a_component_that_is_neither_a_number_nor_a_duration_must_be_set_elsewhere() {
    var binder = new LimitsBinder(environment(Map.of()));
    var defaults = new Other(1, true);

    assertThat(binder.bind("other", defaults, "flag")).isEqualTo(defaults);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> binder.bind("other", defaults))
        .withMessageContaining(PREFIX + "other.flag is a boolean");
  }

  /**
   * The outbox must give up waiting for the broker before the database ends its session, and a
   * claim must get its answer before its call times out.
   */
  @ParameterizedTest
  @CsvSource({
    "rabbit.event-time, 5s, database.idle-in-transaction",
    "redis.replica-time, 500ms, claims.call-time",
    "claims.call-time, 1750ms, redis.command-time",
    "database.statement, 30s, database.recovery-step",
    "database.short-lock-wait, 1s, database.short-lock-wait",
  })
  void a_limit_that_must_be_shorter_than_another_one_is_checked(
      String name, String value, String other) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> bind(Map.of(PREFIX + name, value)))
        .withMessageContaining("must be shorter than " + other);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock-wait", "statement", "transaction"})
  void the_database_ends_a_call_before_the_driver_gives_up(String name) {
    var limits =
        bind(Map.of(PREFIX + "database." + name, "40s", PREFIX + "database.recovery-step", "50s"));

    assertThat(limits.requireBelowSocketTimeout(Duration.ofSeconds(41))).isSameAs(limits);
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> limits.requireBelowSocketTimeout(Duration.ofSeconds(40)))
        .withMessageContaining("database." + name + " (PT40S) must be shorter than the driver's");
  }

  @Test
  void the_metadata_lists_each_limit_with_its_type_and_default() {
    var listed = new TreeMap<String, String>();
    for (var property : metadata().get("properties")) {
      var name = property.get("name").asString();
      if (name.startsWith(PREFIX)) {
        listed.put(name, property.get("type").asString());
        assertThat(property.get("description").asString()).as(name).isNotBlank();
      }
    }
    var binder = new LimitsBinder(environment(Map.of()));
    Limits.bind(binder);

    assertThat(listed.keySet())
        .containsExactlyInAnyOrderElementsOf(
            binder.known().stream().map(Object::toString).toList());
    assertThat(listed.values()).containsOnly("java.lang.Integer", "java.time.Duration");
    assertThat(bind(metadataDefaults())).isEqualTo(bind(Map.of()));
  }

  private static Map<String, Object> metadataDefaults() {
    var defaults = new HashMap<String, Object>();
    for (var property : metadata().get("properties")) {
      var name = property.get("name").asString();
      if (name.startsWith(PREFIX)) {
        var value = property.get("defaultValue");
        defaults.put(name, value.isNumber() ? (Object) value.asInt() : value.asString());
      }
    }
    return defaults;
  }

  private static JsonNode metadata() {
    return JsonMapper.shared()
        .readTree(
            LimitsTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"));
  }
}
