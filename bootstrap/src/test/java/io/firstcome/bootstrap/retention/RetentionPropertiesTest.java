package io.firstcome.bootstrap.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionPropertiesTest {

  private static final Duration YEAR = Duration.ofDays(365);

  @Test
  void without_settings_user_coupons_stay() {
    assertThat(new RetentionProperties(null, null).validated()).isNull();
  }

  @Test
  void a_period_and_a_directory_are_valid(@TempDir Path directory) {
    assertThat(new RetentionProperties(YEAR, directory).validated())
        .isEqualTo(new RetentionProperties.Removal(YEAR, directory));
  }

  @Test
  void an_incomplete_or_dangerous_setting_is_refused(@TempDir Path directory) {
    assertRefused(YEAR, null, "must be set together");
    assertRefused(null, directory, "must be set together");
    assertRefused(Duration.ofHours(23), directory, "at least PT24H");
    assertRefused(YEAR, directory.resolve("absent"), "not a directory");
  }

  private static void assertRefused(
      @Nullable Duration period, @Nullable Path directory, String reason) {
    var properties = new RetentionProperties(period, directory);
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(properties::validated)
        .withMessageContaining(reason);
  }
}
