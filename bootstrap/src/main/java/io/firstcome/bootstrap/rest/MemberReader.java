package io.firstcome.bootstrap.rest;

import io.firstcome.bootstrap.rest.CouponJson.MoneyJson;
import io.firstcome.domain.coupon.Money;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of a request and collects what is wrong with them, by member. The rules are the
 * model's: each member is tried on the type that it becomes.
 */
abstract class MemberReader {

  private final Map<String, String> errors = new LinkedHashMap<>();

  final void wrong(String member, String message) {
    errors.put(member, message);
  }

  final boolean hasErrors() {
    return !errors.isEmpty();
  }

  /**
   * The refusal with all errors that were found.
   *
   * @param what the request is to be
   */
  final Problem invalid(String name, String title, String what) {
    return Problem.invalid(name, title, what, errors);
  }

  final @Nullable Money money(String member, MoneyJson json) {
    var minorUnits = required(member + ".minorUnits", json.minorUnits());
    var currency = read(member + ".currency", json.currency(), MemberReader::currency);
    return minorUnits == null || currency == null
        ? null
        : attempt(member, () -> new Money(minorUnits, currency));
  }

  static Currency currency(String code) {
    try {
      return Currency.getInstance(code);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not an ISO 4217 code: '" + code + "'", e);
    }
  }

  final <T> @Nullable T required(String member, @Nullable T value) {
    if (value == null) {
      wrong(member, member + " is missing");
    }
    return value;
  }

  /** A conversion, which says what is wrong by {@link IllegalArgumentException} or has noted it. */
  interface Conversion<J, T> {
    @Nullable T convert(J json);
  }

  final <J, T> @Nullable T read(String member, @Nullable J json, Conversion<J, T> conversion) {
    return required(member, json) == null ? null : optional(member, json, conversion);
  }

  final <J, T> @Nullable T optional(String member, @Nullable J json, Conversion<J, T> conversion) {
    return json == null ? null : attempt(member, () -> conversion.convert(json));
  }

  final <T> @Nullable T attempt(String member, Supplier<@Nullable T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException e) {
      wrong(member, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
