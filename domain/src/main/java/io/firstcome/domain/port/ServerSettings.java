package io.firstcome.domain.port;

import io.firstcome.domain.observation.Weakness;
import java.util.List;

/** The settings of one server that promises of the service depend on. */
public interface ServerSettings {

  /** The name of the server, for operators. */
  String server();

  /**
   * Reads the server's settings and returns every one that weakens a promise, or that the server
   * does not show.
   *
   * @throws ServerUnavailableException if the server is not reachable
   */
  List<Weakness> weaknesses();
}
