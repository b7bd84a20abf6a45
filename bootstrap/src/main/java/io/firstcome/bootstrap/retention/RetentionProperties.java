package io.firstcome.bootstrap.retention;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * How long user coupons of archived coupons stay in the database.
 *
 * @param period from when the coupon is archived and its last user coupon has ended, at least a
 *     day; null if they stay for good
 * @param directory where they are exported before their removal; an existing one, which all
 *     instances share
 */
@ConfigurationProperties("firstcome.retention")
record RetentionProperties(@Nullable Duration period, @Nullable Path directory) {

  static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("firstcome.retention");

  private static final Set<ConfigurationPropertyName> KNOWN =
      Set.of(PREFIX.append("period"), PREFIX.append("directory"));

  private static final Duration SHORTEST = Duration.ofDays(1);

  static boolean isKnown(ConfigurationPropertyName name) {
    return KNOWN.contains(name);
  }

  /** The settings of a deployment that removes user coupons. */
  record Removal(Duration period, Path directory) {}

  /**
   * The settings, or null if user coupons stay.
   *
   * @throws InvalidSettingException if one is missing, too short, or not a writable directory
   */
  @Nullable Removal validated() {
    if (period == null && directory == null) {
      return null;
    }
    if (period == null || directory == null) {
      throw new InvalidSettingException(
          "firstcome.retention.period and firstcome.retention.directory must be set together");
    }
    if (period.compareTo(SHORTEST) < 0) {
      throw new InvalidSettingException(
          "firstcome.retention.period must be at least %s: %s".formatted(SHORTEST, period));
    }
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      throw new InvalidSettingException(
          "firstcome.retention.directory is not a directory that the service can write to: "
              + directory);
    }
    return new Removal(period, directory);
  }
}
