package io.firstcome.bootstrap.rest;

import io.firstcome.bootstrap.rest.CouponJson.DiscountJson;
import io.firstcome.bootstrap.rest.CouponJson.MoneyJson;
import io.firstcome.bootstrap.rest.CouponJson.ValidityJson;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.coupon.WaitingRoom;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a definition and collects what is wrong with it, by member. The rules are the model's: each
 * member is tried on the type that it becomes.
 */
final class DefinitionReader {

  /** What a timestamp of PostgreSQL and a four-digit year can both say. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private final Map<String, String> errors = new LinkedHashMap<>();

  private DefinitionReader() {}

  /**
   * The definition that the JSON spells.
   *
   * @throws Problem {@code invalid-coupon}, with all errors that were found
   */
  static CouponDefinition read(CouponJson.Definition json) {
    return new DefinitionReader().definition(json);
  }

  /**
   * The quantity alone, where a coupon is to be raised to it.
   *
   * @throws Problem {@code invalid-coupon}, if it cannot be any coupon's
   */
  static int totalQuantity(@Nullable Integer json) {
    var reader = new DefinitionReader();
    var quantity = reader.read("totalQuantity", json, CouponDefinition::requireTotalQuantity);
    if (quantity == null) {
      throw Problem.invalidCoupon(reader.errors);
    }
    return quantity;
  }

  private CouponDefinition definition(CouponJson.Definition json) {
    var couponId = read("couponId", json.couponId(), CouponId::new);
    var name = read("name", json.name(), CouponDefinition::requireName);
    var quantity =
        read("totalQuantity", json.totalQuantity(), CouponDefinition::requireTotalQuantity);
    var discount = read("discount", json.discount(), this::discount);
    var minimumOrder = optional("minimumOrder", json.minimumOrder(), m -> money("minimumOrder", m));
    var opensAt = read("opensAt", json.opensAt(), DefinitionReader::time);
    var closesAt = read("closesAt", json.closesAt(), DefinitionReader::time);
    var window =
        opensAt == null || closesAt == null
            ? null
            : attempt("closesAt", () -> new IssuanceWindow(opensAt, closesAt));
    var validity = read("validity", json.validity(), this::validity);
    var returnsToStock = required("returnsToStock", json.returnsToStock());
    var waitingRoom =
        optional(
            "waitingRoom",
            json.waitingRoom(),
            room ->
                read(
                    "waitingRoom.admissionsPerSecond",
                    room.admissionsPerSecond(),
                    WaitingRoom::new));
    if (!errors.isEmpty()
        || couponId == null
        || name == null
        || quantity == null
        || discount == null
        || window == null
        || validity == null
        || returnsToStock == null) {
      throw Problem.invalidCoupon(errors);
    }
    try {
      return new CouponDefinition(
          couponId,
          name,
          quantity,
          discount,
          minimumOrder,
          window,
          validity,
          returnsToStock,
          waitingRoom);
    } catch (IllegalArgumentException e) {
      // The model's messages begin with the member's name.
      var message = String.valueOf(e.getMessage());
      errors.put(message.substring(0, message.indexOf(' ')), message);
      throw Problem.invalidCoupon(errors);
    }
  }

  private @Nullable Discount discount(DiscountJson json) {
    return switch (required("discount.type", json.type())) {
      case null -> null;
      case "AMOUNT" -> amount(json);
      case "PERCENT" -> percent(json);
      default -> {
        errors.put("discount.type", "discount.type must be AMOUNT or PERCENT");
        yield null;
      }
    };
  }

  private @Nullable Discount amount(DiscountJson json) {
    refuse("discount.basisPoints", json.basisPoints(), "AMOUNT");
    refuse("discount.cap", json.cap(), "AMOUNT");
    var money = money("discount", new MoneyJson(json.minorUnits(), json.currency()));
    return money == null ? null : attempt("discount.minorUnits", () -> new Discount.Amount(money));
  }

  private @Nullable Discount percent(DiscountJson json) {
    refuse("discount.minorUnits", json.minorUnits(), "PERCENT");
    var basisPoints = required("discount.basisPoints", json.basisPoints());
    var currency = read("discount.currency", json.currency(), DefinitionReader::currency);
    var cap = optional("discount.cap", json.cap(), money -> money("discount.cap", money));
    return basisPoints == null || currency == null
        ? null
        : attempt("discount", () -> new Discount.Percent(basisPoints, currency, cap));
  }

  private @Nullable Money money(String member, MoneyJson json) {
    var minorUnits = required(member + ".minorUnits", json.minorUnits());
    var currency = read(member + ".currency", json.currency(), DefinitionReader::currency);
    return minorUnits == null || currency == null
        ? null
        : attempt(member, () -> new Money(minorUnits, currency));
  }

  private @Nullable Validity validity(ValidityJson json) {
    if ((json.until() == null) == (json.days() == null)) {
      errors.put("validity", "validity must have either until or days");
      return null;
    }
    return json.days() == null
        ? read("validity.until", json.until(), text -> new Validity.Until(time(text)))
        : read("validity.days", json.days(), Validity.Days::new);
  }

  private static Currency currency(String code) {
    try {
      return Currency.getInstance(code);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not an ISO 4217 code: '" + code + "'", e);
    }
  }

  private static Instant time(String text) {
    Instant time;
    try {
      time = OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("not an RFC 3339 time: '" + text + "'", e);
    }
    if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
      throw new IllegalArgumentException("not between 1970 and 9999: '" + text + "'");
    }
    return time;
  }

  private void refuse(String member, @Nullable Object value, String type) {
    if (value != null) {
      errors.put(member, member + " does not belong to a discount of type " + type);
    }
  }

  private <T> @Nullable T required(String member, @Nullable T value) {
    if (value == null) {
      errors.put(member, member + " is missing");
    }
    return value;
  }

  /** A conversion, which says what is wrong by {@link IllegalArgumentException} or has noted it. */
  private interface Conversion<J, T> {
    @Nullable T convert(J json);
  }

  private <J, T> @Nullable T read(String member, @Nullable J json, Conversion<J, T> conversion) {
    return required(member, json) == null ? null : optional(member, json, conversion);
  }

  private <J, T> @Nullable T optional(
      String member, @Nullable J json, Conversion<J, T> conversion) {
    return json == null ? null : attempt(member, () -> conversion.convert(json));
  }

  private <T> @Nullable T attempt(String member, Supplier<@Nullable T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException e) {
      errors.put(member, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
