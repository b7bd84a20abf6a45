package io.firstcome.domain.port;

import java.time.Instant;

/** The clock of a server beside the database, asked to be compared with the database's. */
public interface ServerTime {

  /** What the server is called by operators. */
  String server();

  /**
   * What its clock says now.
   *
   * @throws ServerUnavailableException if it did not answer
   */
  Instant ask();
}
