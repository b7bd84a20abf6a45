package io.firstcome.bootstrap.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Excludes Spring Boot's auto-configurations for traces, but for the exporter and the description
 * of the instance if a collector is named. They would make a span of every request and of more.
 * Spring Boot finds this class in {@code META-INF/spring.factories}.
 */
final class TraceAutoConfigurationFilter
    implements AutoConfigurationImportFilter, EnvironmentAware {

  private static final String TRACING = "org.springframework.boot.micrometer.tracing.";
  private static final String TELEMETRY = "org.springframework.boot.opentelemetry.";

  /** Other candidates are classes that an auto-configuration imports. */
  private static final String AUTO_CONFIGURATION = "AutoConfiguration";

  private static final List<String> OF_EXPORT =
      List.of(
          TRACING + "opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration",
          TELEMETRY + "autoconfigure.OpenTelemetrySdkAutoConfiguration");

  private boolean hasCollector;

  @Override
  public void setEnvironment(Environment environment) {
    hasCollector = TraceConfiguration.isCollectorNamed(environment);
  }

  @Override
  public boolean[] match(@Nullable String[] candidates, AutoConfigurationMetadata metadata) {
    var matches = new boolean[candidates.length];
    for (int i = 0; i < candidates.length; i++) {
      matches[i] = matches(candidates[i]);
    }
    return matches;
  }

  /** A candidate that an earlier filter has excluded is null. */
  boolean matches(@Nullable String candidate) {
    return candidate == null
        || !candidate.endsWith(AUTO_CONFIGURATION)
        || !(candidate.startsWith(TRACING) || candidate.startsWith(TELEMETRY))
        || (hasCollector && OF_EXPORT.contains(candidate));
  }
}
