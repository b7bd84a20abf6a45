package io.firstcome.bootstrap.wiring;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.refusal.UnknownSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
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

  /** Redis passes a script at most 8,000 values in one call, and an entry can be two of them. */
  private static final int SCRIPT_MAX = 3_500;

  /** The largest numbers, where a larger one would stop the service and not only slow it down. */
  private static final Map<String, Integer> LARGEST =
      Map.ofEntries(
          Map.entry("redis.claims-per-call", SCRIPT_MAX),
          Map.entry("redis.calls-in-flight", 64),
          Map.entry("recording.relay-batch", SCRIPT_MAX),
          Map.entry("recording.row-page", SCRIPT_MAX),
          Map.entry("recovery.rebuild-page", SCRIPT_MAX),
          // Each holds two connections to the database, and its pool has others to serve.
          Map.entry("recovery.parallel-recoveries", 6),
          Map.entry("comparison.comparison-page", SCRIPT_MAX),
          Map.entry("user-coupons.return-page", SCRIPT_MAX),
          // Each is a consumer, a thread and a connection to the database.
          Map.entry("rabbit.recorders", 64),
          // Each can have that many threads for each webhook.
          Map.entry("webhooks.endpoints", 100),
          Map.entry("webhooks.in-flight", 17),
          Map.entry("webhooks.events-per-delivery", 1_000),
          Map.entry("webhooks.attempts", 100),
          Map.entry("webhooks.failing-days", 365),
          Map.entry("webhooks.logged-days", 365),
          // A number of 16 bits in the protocol.
          Map.entry("rabbit.prefetch", 65_535),
          // RabbitMQ rejects messages of more than 16 MiB.
          Map.entry("rabbit.message-bytes", 1_048_576));

  private static final int LARGEST_OTHER = 10_000_000;
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
   * @throws InvalidSettingException if a number is not positive or too large, a duration is not 1
   *     ms to 24 h, or the record rejects a value
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
      throw new InvalidSettingException(PREFIX.append(group) + ": " + reason);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not a record of limits: " + PREFIX.append(group), e);
    }
  }

  private Object value(ConfigurationPropertyName name, Class<?> type, Object unset) {
    known.add(name);
    var value = bound(name, type, unset);
    switch (value) {
      case Duration time -> requireBetween(name, SHORTEST, LONGEST, time);
      case Integer number -> requireBetween(name, 1, largest(name), number);
      default -> throw new IllegalStateException("%s is a %s".formatted(name, type));
    }
    return value;
  }

  private Object bound(ConfigurationPropertyName name, Class<?> type, Object unset) {
    try {
      return binder.bind(name, Bindable.<Object>of(ResolvableType.forClass(type))).orElse(unset);
    } catch (BindException e) {
      var property = e.getProperty();
      throw new InvalidSettingException(
          "%s must be %s: %s"
              .formatted(
                  name,
                  type == Duration.class ? "a duration such as 500ms" : "a whole number",
                  property == null ? e.getMessage() : property.getValue()));
    }
  }

  private static int largest(ConfigurationPropertyName name) {
    var limit = name.subName(PREFIX.getNumberOfElements()).toString();
    return LARGEST.getOrDefault(limit, LARGEST_OTHER);
  }

  private static <T extends Comparable<T>> void requireBetween(
      ConfigurationPropertyName name, T smallest, T largest, T value) {
    if (value.compareTo(smallest) < 0 || value.compareTo(largest) > 0) {
      throw new InvalidSettingException(
          "%s must be %s to %s: %s".formatted(name, smallest, largest, value));
    }
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
   * @throws InvalidSettingException if there is one
   */
  void requireAllKnown() {
    UnknownSettings.refuse(environment, PREFIX, known::contains);
  }
}
