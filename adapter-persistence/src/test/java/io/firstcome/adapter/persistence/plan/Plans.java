package io.firstcome.adapter.persistence.plan;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.contracts.database.DatabasePorts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Collects the plans of the statements that the adapters send: calls a port on a session in which
 * {@code auto_explain} reports how each statement was run, and rolls back what the call did.
 */
final class Plans implements AutoCloseable {

  /** The kind of plan that PostgreSQL is forced to use. */
  enum Way {
    /** For the values of the parameters, as for the first runs of a prepared statement. */
    CUSTOM,
    /** For any values, as is possible after several runs of a prepared statement. */
    GENERIC
  }

  private static final List<String> AUTO_EXPLAIN =
      List.of(
          "LOAD 'auto_explain'",
          "SET auto_explain.log_min_duration = 0",
          "SET auto_explain.log_analyze = on",
          "SET auto_explain.log_buffers = on",
          "SET auto_explain.log_timing = off",
          "SET auto_explain.log_format = json",
          "SET auto_explain.log_level = notice");

  private final TestDatabase database;
  private final Connection connection;

  Plans(TestDatabase database) {
    this.database = database;
    try {
      connection = database.dataSource().getConnection();
      for (var setting : AUTO_EXPLAIN) {
        DSL.using(connection, SQLDialect.POSTGRES).execute(setting);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("no session with auto_explain", e);
    }
  }

  /**
   * The plans of all statements of the call, in their order.
   *
   * @param before a statement that is run first in the same transaction, or null
   */
  List<Plan> of(Consumer<DatabasePorts> call, Way way, @Nullable String before) {
    return ofStatements(statements -> call.accept(database.portsOn(statements)), way, before);
  }

  /** Like {@link #of}, for a call that sends its statements to the given database. */
  List<Plan> ofStatements(Consumer<Database> call, Way way, @Nullable String before) {
    var plans = new ArrayList<Plan>();
    var configuration =
        new DefaultConfiguration()
            .set(connection)
            .set(SQLDialect.POSTGRES)
            .set(new Settings().withExecuteLogging(false))
            .set(ExecuteListener.onWarning(ctx -> add(ctx.sqlWarning(), plans)));
    try {
      connection.clearWarnings();
      DSL.using(configuration)
          .transaction(transaction -> {
            var dsl = transaction.dsl();
            if (before != null) {
              dsl.execute(before);
            }
            dsl.execute(
                "SET LOCAL plan_cache_mode = force_%s_plan"
                    .formatted(way.name().toLowerCase(Locale.ROOT)));
            call.accept(new Database(dsl));
            // auto_explain reports a plan when its statement is closed: by the next statement of
            // jOOQ or of the connection, such as at the end of a nested transaction.
            dsl.fetch("SELECT 1");
            add(connection.getWarnings(), plans);
            throw new RolledBack();
          });
    } catch (RolledBack _) {
      return plans;
    } catch (SQLException e) {
      throw new IllegalStateException("the session has ended", e);
    }
    throw new IllegalStateException("the transaction was not rolled back");
  }

  private static void add(@Nullable SQLWarning first, List<Plan> plans) {
    for (var warning = first; warning != null; warning = warning.getNextWarning()) {
      var message = warning.getMessage();
      if (message != null && message.startsWith("duration: ")) {
        plans.add(Plan.parse(message));
      }
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("the session could not be closed", e);
    }
  }

  /** Rolls back the transaction of a call. */
  private static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
