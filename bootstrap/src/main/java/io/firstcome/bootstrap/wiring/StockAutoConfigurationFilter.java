package io.firstcome.bootstrap.wiring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Excludes Spring Boot's auto-configurations for Redis and the broker if the deployment has
 * neither. Spring Boot finds this class in {@code META-INF/spring.factories}.
 */
final class StockAutoConfigurationFilter
    implements AutoConfigurationImportFilter, EnvironmentAware {

  private static final List<String> NOT_NEEDED =
      List.of("org.springframework.boot.data.redis.", "org.springframework.boot.amqp.");

  private boolean postgresAlone;

  @Override
  public void setEnvironment(Environment environment) {
    postgresAlone = WithPostgresAlone.IsSet.isSet(environment);
  }

  @Override
  public boolean[] match(@Nullable String[] candidates, AutoConfigurationMetadata metadata) {
    var needed = new boolean[candidates.length];
    for (int i = 0; i < candidates.length; i++) {
      needed[i] = !postgresAlone || isNeeded(candidates[i]);
    }
    return needed;
  }

  /** A candidate that an earlier filter has excluded is null. */
  private static boolean isNeeded(@Nullable String candidate) {
    return candidate == null || NOT_NEEDED.stream().noneMatch(candidate::startsWith);
  }
}
