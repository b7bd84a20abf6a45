package io.firstcome.bootstrap.console.definition;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** What a form changes of a coupon, for an operator who is about to save it. */
final class DefinitionChanges {

  private DefinitionChanges() {}

  /**
   * A field with another value; a text is empty if the field has no value.
   *
   * @param label of the field
   */
  record Change(String label, String before, String after) {}

  static List<Change> between(DefinitionForm before, DefinitionForm after) {
    var changes = new ArrayList<Change>();
    DefinitionForm.LABELS.forEach((field, label) -> {
      var earlier = value(before, field);
      var later = value(after, field);
      if (!earlier.equals(later)) {
        changes.add(new Change(label, earlier, later));
      }
    });
    return changes;
  }

  /** The same text for equal values; empty if the field has no effect. */
  private static String value(DefinitionForm form, String field) {
    if (!hasEffect(form, field)) {
      return "";
    }
    return switch (field) {
      case "opensAt", "closesAt", "validUntil", "joinsFrom" -> time(form, field);
      case "totalQuantity",
          "amountOff",
          "percentOff",
          "cap",
          "minimumOrder",
          "validDays",
          "admissionsPerSecond" ->
          number(form, field);
      case "returnsToStock", "room", "challenge" -> form.isOn(field) ? "yes" : "no";
      default -> text(form, field);
    };
  }

  private static boolean hasEffect(DefinitionForm form, String field) {
    return switch (field) {
      case "amountOff" -> !isPercent(form);
      case "percentOff", "cap" -> isPercent(form);
      case "validDays" -> isForDays(form);
      case "validUntil" -> !isForDays(form);
      case "roomMode", "roomOrder", "joinsFrom", "admissionsPerSecond", "challenge" ->
          form.isOn("room");
      default -> true;
    };
  }

  private static boolean isPercent(DefinitionForm form) {
    return "PERCENT".equals(form.text("discount"));
  }

  private static boolean isForDays(DefinitionForm form) {
    return "days".equals(form.text("validity"));
  }

  private static String text(DefinitionForm form, String field) {
    return form.fields().getOrDefault(field, "");
  }

  private static String time(DefinitionForm form, String field) {
    var time = form.time(field);
    try {
      return time == null ? "" : Instant.parse(time).toString();
    } catch (DateTimeParseException e) {
      return text(form, field);
    }
  }

  private static String number(DefinitionForm form, String field) {
    var number = text(form, field);
    return DefinitionForm.NUMBER.matcher(number).matches()
        ? new BigDecimal(number).stripTrailingZeros().toPlainString()
        : number;
  }
}
