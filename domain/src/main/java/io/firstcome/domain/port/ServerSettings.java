package io.firstcome.domain.port;

import java.util.List;

/** The settings of one server, as far as the promises of the service rest on them. */
public interface ServerSettings {

  /** What operators call the server. */
  String server();

  /**
   * Asks the server how it is set now, and names every setting that weakens a promise; a setting
   * that it does not show is among them.
   *
   * @throws ServerUnavailableException if the server could not be asked
   */
  List<Weakness> weaknesses();
}
