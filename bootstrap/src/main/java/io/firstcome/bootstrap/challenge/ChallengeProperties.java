package io.firstcome.bootstrap.challenge;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * How much work a challenge is.
 *
 * @param maxNumber the highest number that solves one; a client computes half as many hashes on
 *     average
 * @param time how long a challenge can be solved, and its solution be used
 */
@ConfigurationProperties("firstcome.challenge")
record ChallengeProperties(
    @DefaultValue("100000") int maxNumber, @DefaultValue("10m") Duration time) {

  static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("firstcome.challenge");

  private static final Set<ConfigurationPropertyName> KNOWN =
      Set.of(PREFIX.append("max-number"), PREFIX.append("time"));

  private static final int MIN_NUMBER = 1_000;
  private static final int MAX_NUMBER = 100_000_000;
  private static final Duration MIN_TIME = Duration.ofMinutes(1);
  private static final Duration MAX_TIME = Duration.ofDays(1);

  /**
   * The settings.
   *
   * @throws InvalidSettingException if one is out of range
   */
  ChallengeProperties {
    if (maxNumber < MIN_NUMBER || maxNumber > MAX_NUMBER) {
      throw new InvalidSettingException(
          "firstcome.challenge.max-number must be %d to %d: %d"
              .formatted(MIN_NUMBER, MAX_NUMBER, maxNumber));
    }
    if (time.compareTo(MIN_TIME) < 0 || time.compareTo(MAX_TIME) > 0) {
      throw new InvalidSettingException(
          "firstcome.challenge.time must be %s to %s: %s".formatted(MIN_TIME, MAX_TIME, time));
    }
  }

  static boolean isKnown(ConfigurationPropertyName name) {
    return KNOWN.stream().anyMatch(name::equals);
  }
}
