package io.firstcome.adapter.persistence.session;

import java.sql.SQLException;
import org.jooq.Binding;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingGetSQLInputContext;
import org.jooq.BindingGetStatementContext;
import org.jooq.BindingRegisterContext;
import org.jooq.BindingSQLContext;
import org.jooq.BindingSetSQLOutputContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.Converter;
import org.jooq.Converters;
import org.jooq.DataType;
import org.jooq.Param;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Array parameters that the driver sends in PostgreSQL's binary format: {@code int[]}, {@code
 * long[]}, {@code byte[][]} and {@code String[]}. jOOQ's own binding writes an array as text, which
 * costs the service and the server more than the row that is made of it.
 */
public final class BinaryArray implements Binding<Object, Object> {

  private static final long serialVersionUID = 1L;

  private static final DataType<Object> TYPE =
      SQLDataType.OTHER.asConvertedDataType(new BinaryArray());

  private BinaryArray() {}

  /** A parameter with the array, or with null if only the text of its statement is needed. */
  public static Param<Object> param(Object array) {
    return DSL.val(array, TYPE);
  }

  @Override
  public Converter<Object, Object> converter() {
    return Converters.identity(Object.class);
  }

  @Override
  public void sql(BindingSQLContext<Object> context) {
    context.render().sql("?");
  }

  @Override
  public void set(BindingSetStatementContext<Object> context) throws SQLException {
    context.statement().setObject(context.index(), context.value());
  }

  @Override
  public void register(BindingRegisterContext<Object> context) {
    throw new UnsupportedOperationException("only for parameters of statements");
  }

  @Override
  public void set(BindingSetSQLOutputContext<Object> context) {
    throw new UnsupportedOperationException("only for parameters of statements");
  }

  @Override
  public void get(BindingGetResultSetContext<Object> context) {
    throw new UnsupportedOperationException("only for parameters of statements");
  }

  @Override
  public void get(BindingGetStatementContext<Object> context) {
    throw new UnsupportedOperationException("only for parameters of statements");
  }

  @Override
  public void get(BindingGetSQLInputContext<Object> context) {
    throw new UnsupportedOperationException("only for parameters of statements");
  }
}
