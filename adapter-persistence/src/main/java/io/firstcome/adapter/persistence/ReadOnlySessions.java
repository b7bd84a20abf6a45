package io.firstcome.adapter.persistence;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Ends a pooled connection on which PostgreSQL refused to write because the server, or the session,
 * is read-only (SQLSTATE 25006). After a failover the host name leads to the new primary, but
 * connections to a server that is a standby now stay open and would be used for half an hour.
 */
final class ReadOnlySessions implements SQLExceptionOverride {

  private static final String READ_ONLY = "25006";

  @java.lang.Override
  public Override adjudicate(SQLException failure) {
    return READ_ONLY.equals(failure.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
  }
}
