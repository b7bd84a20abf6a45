package io.firstcome.adapter.persistence.session;

import static java.util.stream.Collectors.joining;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * The statements that set the time limits of a database session.
 *
 * @see <a href="https://www.postgresql.org/docs/current/runtime-config-client.html">Timeouts of
 *     statements and transactions</a>
 * @see <a href="https://www.postgresql.org/docs/current/runtime-config-connection.html">Keepalive
 *     and client check</a>
 */
public final class SessionSettings {

  public static final String IDLE_IN_TRANSACTION = "idle_in_transaction_session_timeout";
  public static final String LOCK_WAIT = "lock_timeout";
  public static final String STATEMENT = "statement_timeout";

  /** Unanswered keepalive probes after which a client counts as disconnected. */
  private static final int KEEPALIVE_PROBES = 3;

  private SessionSettings() {}

  /**
   * Sets those that the server supports; {@code transaction_timeout} needs PostgreSQL 17. It is a
   * query and not SET, because SET fails for an unknown setting.
   */
  public static String statement(PersistenceLimits limits) {
    return "SELECT set_config(wanted.name, wanted.setting, false) FROM (VALUES "
        + settings(limits).entrySet().stream()
            .map(setting -> "('%s', '%d')".formatted(setting.getKey(), setting.getValue()))
            .collect(joining(", "))
        + ") AS wanted (name, setting) JOIN pg_settings AS known ON known.name = wanted.name";
  }

  /** Sets a limit of time for the rest of the current transaction. */
  public static Field<String> setLocal(String setting, Duration limit) {
    return field(
        "set_config({0}, {1}, true)",
        SQLDataType.CLOB, inline(setting), val(Long.toString(limit.toMillis())));
  }

  /** Each in the server's unit: seconds for keepalive, otherwise milliseconds. */
  private static Map<String, Long> settings(PersistenceLimits limits) {
    var settings = new LinkedHashMap<String, Long>();
    settings.put(IDLE_IN_TRANSACTION, limits.idleInTransaction().toMillis());
    settings.put(LOCK_WAIT, limits.lockWait().toMillis());
    settings.put(STATEMENT, limits.statement().toMillis());
    settings.put("transaction_timeout", limits.transaction().toMillis());
    settings.put("client_connection_check_interval", limits.clientCheck().toMillis());
    settings.put("tcp_user_timeout", limits.silentClient().toMillis());
    settings.put("tcp_keepalives_idle", seconds(limits.silentClient().dividedBy(2)));
    settings.put(
        "tcp_keepalives_interval", seconds(limits.silentClient().dividedBy(2L * KEEPALIVE_PROBES)));
    settings.put("tcp_keepalives_count", (long) KEEPALIVE_PROBES);
    return settings;
  }

  /** At least 1, because 0 means the operating system's default. */
  private static long seconds(Duration duration) {
    return Math.max(1, duration.toSeconds());
  }
}
