package io.firstcome.adapter.persistence;

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
 * Shows the plans of the very statements that the adapters send: calls a port on a session in which
 * {@code auto_explain} tells how each statement was run, and rolls back what the call did.
 */
final class Plans implements AutoCloseable {

  /** Which of its two ways of planning PostgreSQL is made to take. */
  enum Way {
    /** For the values of the parameters, as for the first runs of a prepared statement. */
    CUSTOM,
    /** For any values, as it may be once a statement has run more often. */
    GENERIC
  }

  private static final List<String> TELLING =
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
      for (var setting : TELLING) {
        DSL.using(connection, SQLDialect.POSTGRES).execute(setting);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("no session that tells its plans", e);
    }
  }

  /**
   * The plans of all statements of the call, in their order.
   *
   * @param before what is done in the same transaction first, or null
   */
  List<Plan> of(Consumer<DatabasePorts> call, Way way, @Nullable String before) {
    return ofStatements(statements -> call.accept(database.portsOn(statements)), way, before);
  }

  /** The same of a call that sends its statements there. */
  List<Plan> ofStatements(Consumer<Database> call, Way way, @Nullable String before) {
    var told = new ArrayList<Plan>();
    var configuration =
        new DefaultConfiguration()
            .set(connection)
            .set(SQLDialect.POSTGRES)
            .set(new Settings().withExecuteLogging(false))
            .set(ExecuteListener.onWarning(ctx -> add(ctx.sqlWarning(), told)));
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
            // A plan is told when its statement is put away: by the next one, which is jOOQ's or
            // the connection's own, as at the end of a transaction within this one.
            dsl.fetch("SELECT 1");
            add(connection.getWarnings(), told);
            throw new RolledBack();
          });
    } catch (RolledBack _) {
      return told;
    } catch (SQLException e) {
      throw new IllegalStateException("the session has ended", e);
    }
    throw new IllegalStateException("the transaction was not rolled back");
  }

  private static void add(@Nullable SQLWarning first, List<Plan> told) {
    for (var warning = first; warning != null; warning = warning.getNextWarning()) {
      var message = warning.getMessage();
      if (message != null && message.startsWith("duration: ")) {
        told.add(Plan.parse(message));
      }
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("the session did not end", e);
    }
  }

  /** Ends a transaction whose work is not wanted. */
  private static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
