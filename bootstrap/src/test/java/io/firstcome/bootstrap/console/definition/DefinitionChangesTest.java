package io.firstcome.bootstrap.console.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.console.definition.DefinitionChanges.Change;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefinitionChangesTest {

  private static final Map<String, String> FIELDS =
      Map.of(
          "couponId", "WELCOME",
          "name", "Welcome",
          "discount", "AMOUNT",
          "amountOff", "5.50",
          "currency", "EUR",
          "opensAt", "2026-12-01T12:00:00",
          "validity", "days",
          "validDays", "30");

  private static final DefinitionForm BEFORE = with(Map.of());

  private static DefinitionForm with(Map<String, String> others) {
    var fields = new HashMap<>(FIELDS);
    fields.putAll(others);
    return DefinitionForm.sent(fields);
  }

  @Test
  void the_same_values_as_other_texts_are_no_change() {
    var after = with(Map.of("amountOff", "5.5", "opensAt", "2026-12-01T12:00", "validDays", "030"));

    assertThat(DefinitionChanges.between(BEFORE, after)).isEmpty();
  }

  @Test
  void fields_without_effect_are_no_change() {
    var after =
        with(
            Map.of(
                "cap", "9",
                "percentOff", "10",
                "validUntil", "2027-01-01T00:00",
                "joinsFrom", "2026-12-01T11:00"));

    assertThat(DefinitionChanges.between(BEFORE, after)).isEmpty();
  }

  @Test
  void other_values_are_changes_in_the_order_of_the_form() {
    var after =
        with(
            Map.of(
                "validity", "until",
                "validUntil", "2027-01-01T00:00",
                "name", "Hello",
                "returnsToStock", "on"));

    assertThat(DefinitionChanges.between(BEFORE, after))
        .containsExactly(
            new Change("Name", "Welcome", "Hello"),
            new Change("Valid", "days", "until"),
            new Change("Valid until", "", "2027-01-01T00:00:00Z"),
            new Change("Valid for days", "30", ""),
            new Change("A returned slot can be claimed again", "no", "yes"));
  }

  @Test
  void what_is_not_a_number_or_a_time_is_shown_as_it_is() {
    var after = with(Map.of("amountOff", "1e9", "opensAt", "tomorrow"));

    assertThat(DefinitionChanges.between(BEFORE, after))
        .extracting(Change::after)
        .containsExactly("1e9", "tomorrow");
  }
}
