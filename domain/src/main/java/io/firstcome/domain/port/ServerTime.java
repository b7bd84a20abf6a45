package io.firstcome.domain.port;

import java.time.Instant;

/** The clock of a server other than the database, to be compared with the database's. */
public interface ServerTime {

  /** The name of the server, for operators. */
  String server();

  /**
   * Reads its clock.
   *
   * @throws ServerUnavailableException if it did not answer
   */
  Instant ask();
}
