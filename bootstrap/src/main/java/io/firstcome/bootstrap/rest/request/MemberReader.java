package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponJson.MoneyJson;
import io.firstcome.domain.coupon.Money;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of a request and collects the errors, by member. The model validates: each
 * member is converted to its type.
 */
public abstract class MemberReader {

  /** The latest time that fits both a PostgreSQL timestamp and a four-digit year. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private final Map<String, String> errors = new LinkedHashMap<>();

  public final void wrong(String member, String message) {
    errors.put(member, message);
  }

  public final boolean hasErrors() {
    return !errors.isEmpty();
  }

  /**
   * The problem with all errors that were found.
   *
   * @param what what the request describes
   */
  public final Problem invalid(ProblemType type, String what) {
    return Problem.invalid(type, what, errors);
  }

  public final @Nullable Money money(String member, MoneyJson json) {
    var minorUnits = required(member + ".minorUnits", json.minorUnits());
    var currency = read(member + ".currency", json.currency(), MemberReader::currency);
    return minorUnits == null || currency == null
        ? null
        : attempt(member, () -> new Money(minorUnits, currency));
  }

  /** An ISO 8601 duration, as in {@code PT10M}. */
  public static Duration duration(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("not an ISO 8601 duration: '" + text + "'", e);
    }
  }

  /** An RFC 3339 time between 1970 and 9999. */
  public static Instant time(String text) {
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

  public static Currency currency(String code) {
    try {
      return Currency.getInstance(code);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not an ISO 4217 code: '" + code + "'", e);
    }
  }

  public final <T> @Nullable T required(String member, @Nullable T value) {
    if (value == null) {
      wrong(member, member + " is missing");
    }
    return value;
  }

  /** A conversion that throws {@link IllegalArgumentException}, or has added the error itself. */
  public interface Conversion<J, T> {
    @Nullable T convert(J json);
  }

  public final <J, T> @Nullable T read(
      String member, @Nullable J json, Conversion<J, T> conversion) {
    return required(member, json) == null ? null : optional(member, json, conversion);
  }

  public final <J, T> @Nullable T optional(
      String member, @Nullable J json, Conversion<J, T> conversion) {
    return json == null ? null : attempt(member, () -> conversion.convert(json));
  }

  public final <T> @Nullable T attempt(String member, Supplier<@Nullable T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException e) {
      wrong(member, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
