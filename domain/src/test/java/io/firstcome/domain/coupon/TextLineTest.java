package io.firstcome.domain.coupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextLineTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Summer sale",
        "夏のセール",
        "حسم",
        "50 % – “now” 🎉",
        "a",
        "1234567890123456",
        "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉"
      })
  void a_line_in_any_script_is_accepted(String text) {
    assertThat(TextLine.require("name", text, 16)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1 to 16 characters",
    "'  ', 1 to 16 characters",
    "12345678901234567, 1 to 16 characters",
    "'a\nb', control characters",
    "a\u0000b, control characters",
    "a\uD83Cb, unpaired surrogates",
    "a\u202Eb, direction of text",
    "a\u2066b, direction of text",
  })
  void other_texts_are_refused(String text, String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TextLine.require("name", text, 16))
        .withMessageStartingWith("name must")
        .withMessageContaining(reason);
  }
}
