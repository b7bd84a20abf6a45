package io.firstcome.bootstrap.refusal;

import java.util.function.Predicate;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Refuses settings that nothing reads, such as misspelled ones.
 *
 * <p>Only groups of settings can be checked, not everything under {@code firstcome}: for a service
 * with that name, Kubernetes adds variables such as {@code FIRSTCOME_SERVICE_HOST}.
 */
public final class UnknownSettings {

  private UnknownSettings() {}

  /**
   * Checks the names of all settings of a group.
   *
   * @throws InvalidSettingException if one is not known
   */
  public static void refuse(
      Environment environment,
      ConfigurationPropertyName group,
      Predicate<ConfigurationPropertyName> isKnown) {
    for (var source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource names) {
        names.stream()
            .filter(name -> group.isAncestorOf(name) && !isKnown.test(name))
            .findFirst()
            .ifPresent(name -> {
              throw new InvalidSettingException("there is no setting " + name);
            });
      }
    }
  }
}
