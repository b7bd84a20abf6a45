package io.firstcome.bootstrap.console.definition;

import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.DiscountJson;
import io.firstcome.bootstrap.rest.request.CouponJson.MoneyJson;
import io.firstcome.bootstrap.rest.request.CouponJson.ValidityJson;
import io.firstcome.bootstrap.rest.request.CouponJson.WaitingRoomJson;
import io.firstcome.bootstrap.rest.request.MemberReader;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a form with the definition of a coupon, as texts. An empty field is a member that
 * is missing. Amounts have the decimals of their currency, and times are in UTC.
 */
record DefinitionForm(Map<String, String> fields) {

  /** The fields of the form, with their labels. */
  static final Map<String, String> LABELS = labels();

  private static final int PERCENT_DECIMALS = 2;

  /** Without an exponent: a number with a large one takes hours to compute. */
  static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}(?:\\.[0-9]{1,10})?");

  DefinitionForm {
    fields = Map.copyOf(fields);
  }

  private static Map<String, String> labels() {
    var labels = new LinkedHashMap<String, String>();
    labels.put("couponId", "Id");
    labels.put("name", "Name");
    labels.put("totalQuantity", "Quantity");
    labels.put("discount", "Discount");
    labels.put("currency", "Currency");
    labels.put("amountOff", "Amount");
    labels.put("percentOff", "Percent");
    labels.put("cap", "At most");
    labels.put("minimumOrder", "Smallest order");
    labels.put("opensAt", "Opens");
    labels.put("closesAt", "Closes");
    labels.put("validity", "Valid");
    labels.put("validUntil", "Valid until");
    labels.put("validDays", "Valid for days");
    labels.put("returnsToStock", "A returned slot can be claimed again");
    labels.put("room", "Waiting room");
    labels.put("roomMode", "Mode of the room");
    labels.put("roomOrder", "Order of the room");
    labels.put("joinsFrom", "Customers join from");
    labels.put("admissionsPerSecond", "Served in a second");
    labels.put("challenge", "Challenge");
    return Collections.unmodifiableMap(labels);
  }

  /** The form that was sent; fields that it does not have are empty. */
  static DefinitionForm sent(Map<String, String> parameters) {
    var fields = new LinkedHashMap<String, String>();
    for (var name : LABELS.keySet()) {
      fields.put(name, parameters.getOrDefault(name, "").strip());
    }
    return new DefinitionForm(fields);
  }

  /** The form of a new coupon. */
  static DefinitionForm empty() {
    return sent(
        Map.of("discount", "AMOUNT", "currency", "EUR", "validity", "until", "roomMode", "ADMIT"));
  }

  /** The form with a definition. */
  static DefinitionForm of(CouponJson.View view) {
    var fields = new LinkedHashMap<String, String>();
    fields.put("couponId", view.couponId());
    fields.put("name", view.name());
    fields.put("totalQuantity", Integer.toString(view.totalQuantity()));
    putDiscount(view, fields);
    putMoney("minimumOrder", view.minimumOrder(), fields);
    fields.put("opensAt", local(view.opensAt()));
    fields.put("closesAt", local(view.closesAt()));
    var validity = view.validity();
    fields.put("validity", validity.days() == null ? "until" : "days");
    fields.put("validUntil", local(validity.until()));
    fields.put("validDays", validity.days() == null ? "" : validity.days().toString());
    fields.put("returnsToStock", view.returnsToStock() ? "on" : "");
    var room = view.waitingRoom();
    fields.put("roomMode", "ADMIT");
    if (room != null) {
      fields.put("room", "on");
      fields.put("roomMode", Objects.requireNonNull(room.mode()));
      fields.put("roomOrder", Objects.requireNonNull(room.order()));
      fields.put("joinsFrom", local(room.joinsFrom()));
      fields.put("admissionsPerSecond", String.valueOf(room.admissionsPerSecond()));
      fields.put("challenge", Boolean.TRUE.equals(room.challenge()) ? "on" : "");
    }
    return sent(fields);
  }

  private static void putDiscount(CouponJson.View view, Map<String, String> fields) {
    var discount = view.discount();
    fields.put("discount", Objects.requireNonNull(discount.type()));
    var amountOff = discount.amountOff();
    if (amountOff != null) {
      fields.put("currency", Objects.requireNonNull(amountOff.currency()));
      putMoney("amountOff", amountOff, fields);
    } else {
      fields.put("currency", Objects.requireNonNull(discount.currency()));
      var percent =
          BigDecimal.valueOf(Objects.requireNonNull(discount.basisPoints()), PERCENT_DECIMALS);
      fields.put("percentOff", percent.stripTrailingZeros().toPlainString());
      putMoney("cap", discount.cap(), fields);
    }
  }

  private static void putMoney(
      String field, @Nullable MoneyJson money, Map<String, String> fields) {
    if (money != null) {
      int decimals = decimals(Objects.requireNonNull(money.currency()));
      var minorUnits = Objects.requireNonNull(money.minorUnits());
      fields.put(field, BigDecimal.valueOf(minorUnits, decimals).toPlainString());
    }
  }

  /** A time as a field of type {@code datetime-local} has it. */
  private static String local(@Nullable String time) {
    return time == null ? "" : time.replaceFirst("Z$", "");
  }

  /**
   * The definition.
   *
   * @param errors gets what is wrong with fields that have no value of the member's type
   */
  CouponJson.Definition definition(Map<String, String> errors) {
    var currency = text("currency");
    return new CouponJson.Definition(
        text("couponId"),
        text("name"),
        whole("totalQuantity", "totalQuantity", errors),
        "PERCENT".equals(text("discount"))
            ? new DiscountJson(
                "PERCENT",
                null,
                basisPoints(errors),
                currency,
                money("cap", "discount.cap", currency, errors))
            : new DiscountJson(
                "AMOUNT",
                money("amountOff", "discount.amountOff", currency, errors),
                null,
                null,
                null),
        money("minimumOrder", "minimumOrder", currency, errors),
        time("opensAt"),
        time("closesAt"),
        "days".equals(text("validity"))
            ? new ValidityJson(null, whole("validDays", "validity.days", errors))
            : new ValidityJson(time("validUntil"), null),
        isOn("returnsToStock"),
        isOn("room")
            ? new WaitingRoomJson(
                text("roomMode"),
                text("roomOrder"),
                time("joinsFrom"),
                whole("admissionsPerSecond", "waitingRoom.admissionsPerSecond", errors),
                null,
                null,
                isOn("challenge"))
            : null,
        null,
        null,
        null);
  }

  @Nullable String text(String field) {
    var text = fields.getOrDefault(field, "");
    return text.isEmpty() ? null : text;
  }

  boolean isOn(String field) {
    return text(field) != null;
  }

  /** A time of a field of type {@code datetime-local}, which may be without seconds. */
  @Nullable String time(String field) {
    var text = text(field);
    if (text == null) {
      return null;
    }
    return (text.length() == "2026-12-01T12:00".length() ? text + ":00" : text) + "Z";
  }

  private @Nullable Integer whole(String field, String member, Map<String, String> errors) {
    var number = decimal(field, member, 0, errors);
    if (number == null) {
      return null;
    }
    try {
      return Math.toIntExact(number);
    } catch (ArithmeticException e) {
      errors.put(member, "not a number up to %,d: '%s'".formatted(Integer.MAX_VALUE, text(field)));
      return null;
    }
  }

  private @Nullable Integer basisPoints(Map<String, String> errors) {
    var number = decimal("percentOff", "discount.basisPoints", PERCENT_DECIMALS, errors);
    return number == null ? null : Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private @Nullable MoneyJson money(
      String field, String member, @Nullable String currency, Map<String, String> errors) {
    if (currency == null) {
      return text(field) == null ? null : new MoneyJson(0L, null);
    }
    int decimals;
    try {
      decimals = decimals(currency);
    } catch (IllegalArgumentException e) {
      // The same error is found when the definition is read.
      return new MoneyJson(1L, currency);
    }
    var minorUnits = decimal(field, member, decimals, errors);
    return minorUnits == null ? null : new MoneyJson(minorUnits, currency);
  }

  private static int decimals(String currency) {
    return Math.max(0, MemberReader.currency(currency).getDefaultFractionDigits());
  }

  /** A number in units of its last decimal. */
  private @Nullable Long decimal(
      String field, String member, int decimals, Map<String, String> errors) {
    var text = text(field);
    if (text == null) {
      return null;
    }
    try {
      if (!NUMBER.matcher(text).matches()) {
        throw new NumberFormatException("not a number");
      }
      return new BigDecimal(text).movePointRight(decimals).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      errors.put(
          member,
          decimals == 0
              ? "not a whole number: '%s'".formatted(text)
              : "not a number with at most %d decimals: '%s'".formatted(decimals, text));
      return null;
    }
  }
}
