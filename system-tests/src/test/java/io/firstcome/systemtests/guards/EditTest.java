package io.firstcome.systemtests.guards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class EditTest {

  private static final String CONTENT =
      """
      if (isLate(claim)
          && !isKnown(claim)) {
        return LATE;
      }
      return record(claim);
      """;

  @Test
  void a_place_is_found_with_any_line_breaks() {
    var edit = edit(List.of("if (isLate(claim) && !isKnown(claim)) {"), List.of("if (false) {"));
    assertThat(edit.appliedTo(CONTENT))
        .isEqualTo(
            """
            if (false) {
              return LATE;
            }
            return record(claim);
            """);
  }

  @Test
  void a_replacement_can_be_empty() {
    assertThat(edit(List.of("&&", "!isKnown(claim)"), List.of()).appliedTo(CONTENT))
        .startsWith("if (isLate(claim)\n    ) {");
  }

  @Test
  void a_missing_place_is_an_error() {
    var edit = edit(List.of("if (isLate(other)"), List.of());
    assertThatThrownBy(() -> edit.appliedTo(CONTENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no such place")
        .hasMessageContaining("isLate(other)");
  }

  @Test
  void an_ambiguous_place_is_an_error() {
    var edit = edit(List.of("return"), List.of());
    assertThatThrownBy(() -> edit.appliedTo(CONTENT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than one such place");
  }

  private static Edit edit(List<String> find, List<String> replacement) {
    return new Edit("Claims.java", find, replacement);
  }
}
