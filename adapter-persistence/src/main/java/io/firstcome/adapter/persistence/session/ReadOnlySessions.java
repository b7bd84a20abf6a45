package io.firstcome.adapter.persistence.session;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Evicts a pooled connection on which PostgreSQL rejected a write because the server, or the
 * session, is read-only (SQLSTATE 25006). After a failover the host name resolves to the new
 * primary, but connections to a server that is now a standby stay open and would be used for half
 * an hour.
 */
public final class ReadOnlySessions implements SQLExceptionOverride {

  private static final String READ_ONLY = "25006";

  @java.lang.Override
  public Override adjudicate(SQLException failure) {
    return READ_ONLY.equals(failure.getSQLState()) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
  }
}
