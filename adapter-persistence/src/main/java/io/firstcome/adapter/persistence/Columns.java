package io.firstcome.adapter.persistence;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.val;

import io.firstcome.domain.issuance.UserId;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jooq.Condition;
import org.jooq.DataType;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Lists as single parameters, so that a statement's text does not depend on how long they are. */
final class Columns {

  private Columns() {}

  /** One column of a table that {@code unnest} makes: an array with a member of each element. */
  static <E, T> Field<T[]> column(
      List<E> elements, DataType<T> type, IntFunction<T[]> newArray, Function<E, T> member) {
    return val(elements.stream().map(member).toArray(newArray), type.getArrayDataType());
  }

  /** The same, of a member that elements may lack. */
  static <E, T> Field<T[]> nullableColumn(
      List<E> elements,
      DataType<T> type,
      IntFunction<T[]> newArray,
      Function<E, @Nullable T> member) {
    return val(elements.stream().map(member).toArray(newArray), type.getArrayDataType());
  }

  /** Whether the field is one of the users. */
  static Condition isOneOf(Field<String> field, Collection<UserId> users) {
    var ids = users.stream().map(UserId::value).toArray(String[]::new);
    return field.eq(any(val(ids, field.getDataType().getArrayDataType())));
  }
}
