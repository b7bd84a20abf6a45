package io.firstcome.bootstrap.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The filter, against the auto-configurations of the service's libraries. */
class TraceAutoConfigurationFilterTest {

  private static final List<String> ALL =
      ImportCandidates.load(AutoConfiguration.class, null).getCandidates();

  private static List<String> excluded(Map<String, Object> settings) {
    var environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    var filter = new TraceAutoConfigurationFilter();
    filter.setEnvironment(environment);
    return ALL.stream().filter(candidate -> !filter.matches(candidate)).toList();
  }

  @Test
  void without_a_collector_everything_for_traces_is_excluded() {
    assertThat(excluded(Map.of()))
        .hasSizeGreaterThan(5)
        .allSatisfy(name -> assertThat(name).containsAnyOf(".tracing.", ".opentelemetry."));
  }

  @Test
  void with_a_collector_only_the_exporter_and_the_description_are_left() {
    var without = excluded(Map.of());
    var with =
        excluded(
            Map.of(
                "management.opentelemetry.tracing.export.otlp.endpoint", "http://127.0.0.1:4318"));

    assertThat(without).containsAll(with);
    assertThat(without.stream().filter(name -> !with.contains(name)))
        .extracting(name -> name.substring(name.lastIndexOf('.') + 1))
        .containsExactlyInAnyOrder(
            "OtlpTracingAutoConfiguration", "OpenTelemetrySdkAutoConfiguration");
  }

  /** Spring Boot asks for these too, and would leave out their beans. */
  @Test
  void no_class_that_an_auto_configuration_imports_is_excluded() {
    var filter = new TraceAutoConfigurationFilter();
    filter.setEnvironment(new StandardEnvironment());

    assertThat(
            filter.matches(
                "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.otlp"
                    + ".OtlpTracingConfigurations$ConnectionDetails"))
        .isTrue();
  }
}
