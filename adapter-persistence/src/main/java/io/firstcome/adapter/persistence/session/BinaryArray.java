package io.firstcome.adapter.persistence.session;

import java.sql.SQLException;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.Converter;
import org.jooq.Converters;
import org.jooq.DataType;
import org.jooq.Param;
import org.jooq.impl.AbstractBinding;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Array parameters that the driver sends in PostgreSQL's binary format: {@code int[]}, {@code
 * long[]}, {@code byte[][]} and {@code String[]}. jOOQ's own binding writes an array as text.
 */
public final class BinaryArray extends AbstractBinding<Object, Object> {

  private static final long serialVersionUID = 1L;

  private static final DataType<Object> TYPE =
      SQLDataType.OTHER.asConvertedDataType(new BinaryArray());

  private BinaryArray() {}

  /** A parameter with the array. */
  public static Param<Object> param(Object array) {
    return DSL.val(array, TYPE);
  }

  @Override
  public Converter<Object, Object> converter() {
    return Converters.identity(Object.class);
  }

  @Override
  public void set(BindingSetStatementContext<Object> context) throws SQLException {
    context.statement().setObject(context.index(), context.value());
  }

  @Override
  public void get(BindingGetResultSetContext<Object> context) {
    throw new UnsupportedOperationException("only for parameters of statements");
  }
}
