package io.firstcome.adapter.persistence.session;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import io.firstcome.domain.issuance.UserId;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * Passes lists as single array parameters, so that a statement's text does not depend on their
 * length.
 */
public final class Columns {

  private Columns() {}

  /** One column of an {@code unnest} table: an array with one member of each element. */
  public static <E, T> Field<T[]> column(
      List<E> elements, DataType<T> type, IntFunction<T[]> newArray, Function<E, T> member) {
    return val(elements.stream().map(member).toArray(newArray), type.getArrayDataType());
  }

  /** Like {@link #column}, for a member that can be null. */
  public static <E, T> Field<T[]> nullableColumn(
      List<E> elements,
      DataType<T> type,
      IntFunction<T[]> newArray,
      Function<E, @Nullable T> member) {
    return val(elements.stream().map(member).toArray(newArray), type.getArrayDataType());
  }

  /** Whether the field is one of the users. */
  public static Condition isOneOf(Field<String> field, Collection<UserId> users) {
    return isOneOf(field, users.stream().map(UserId::value));
  }

  /** Whether the field is one of the values. */
  public static Condition isOneOf(Field<String> field, Stream<String> values) {
    return field.eq(
        any(val(values.toArray(String[]::new), field.getDataType().getArrayDataType())));
  }
}
