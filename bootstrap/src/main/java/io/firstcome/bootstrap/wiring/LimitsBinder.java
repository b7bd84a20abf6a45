package io.firstcome.bootstrap.wiring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/**
 * Binds records of numbers and durations to the properties {@code
 * firstcome.limits.<group>.<component>}. A component whose property is not set keeps its default.
 */
final class LimitsBinder {

  private static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("firstcome.limits");

  /** Servers take times in milliseconds, and a time of 0 as no limit. */
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Pattern WORD_START = Pattern.compile("(?<=[a-z])(?=[A-Z])");

  private final Environment environment;
  private final Binder binder;
  private final List<ConfigurationPropertyName> known = new ArrayList<>();

  LimitsBinder(Environment environment) {
    this.environment = environment;
    binder = Binder.get(environment);
  }

  /**
   * The limits of a group.
   *
   * @param defaults the record with the values of properties that are not set
   * @param others components that are set elsewhere and keep their value
   * @throws IllegalArgumentException if a number is not positive, a duration is not 1 ms to 24 h,
   *     or the record rejects a value
   * @throws IllegalStateException if a component is neither a number nor a duration
   */
  <R extends Record> R bind(String group, R defaults, String... others) {
    var components = defaults.getClass().getRecordComponents();
    var values =
        Arrays.stream(components)
            .map(one ->
                List.of(others).contains(one.getName())
                    ? read(one, defaults)
                    : value(name(group, one), one.getType(), read(one, defaults)))
            .toArray();
    try {
      var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
      @SuppressWarnings("unchecked")
      var type = (Class<R>) defaults.getClass();
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (InvocationTargetException e) {
      var reason = Objects.requireNonNullElse(e.getCause(), e).getMessage();
      throw new IllegalArgumentException(PREFIX.append(group) + ": " + reason, e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not a record of limits: " + PREFIX.append(group), e);
    }
  }

  private Object value(ConfigurationPropertyName name, Class<?> type, Object unset) {
    known.add(name);
    Object value =
        binder.bind(name, Bindable.<Object>of(ResolvableType.forClass(type))).orElse(unset);
    var isPossible =
        switch (value) {
          case Duration time -> time.compareTo(SHORTEST) >= 0 && time.compareTo(LONGEST) <= 0;
          case Integer number -> number > 0;
          default -> throw new IllegalStateException("%s is a %s".formatted(name, type));
        };
    if (!isPossible) {
      throw new IllegalArgumentException(
          "%s must be %s: %s"
              .formatted(
                  name,
                  value instanceof Duration ? SHORTEST + " to " + LONGEST : "positive",
                  value));
    }
    return value;
  }

  private static Object read(RecordComponent component, Record of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not readable: " + component, e);
    }
  }

  private static ConfigurationPropertyName name(String group, RecordComponent component) {
    var words = WORD_START.matcher(component.getName()).replaceAll("-");
    return PREFIX.append(group).append(words.toLowerCase(Locale.ROOT));
  }

  /** The names of all properties that were bound. */
  List<ConfigurationPropertyName> known() {
    return List.copyOf(known);
  }

  /**
   * Rejects properties that set no limit, such as misspelled ones.
   *
   * @throws IllegalArgumentException if there is one
   */
  void requireAllKnown() {
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource names) {
        names.stream()
            .filter(name -> PREFIX.isAncestorOf(name) && !known.contains(name))
            .findFirst()
            .ifPresent(name -> {
              throw new IllegalArgumentException("there is no limit " + name);
            });
      }
    }
  }
}
