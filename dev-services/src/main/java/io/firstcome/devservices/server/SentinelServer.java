package io.firstcome.devservices.server;

/**
 * A Redis Sentinel, which watches one master and promotes a replica when the master is unreachable.
 */
public sealed interface SentinelServer extends BackingServer permits LocalSentinel {

  /** The name of the master, independent of the server that has this role. */
  String MASTER = "firstcome";

  /**
   * Sends one command as {@link RedisServer#command} does.
   *
   * @throws IllegalStateException if Sentinel is not reachable or replies with an error
   */
  default String command(String... words) {
    return Resp.command(host(), port(), words);
  }

  /** The port of the server that is the master now. */
  default int masterPort() {
    return Integer.parseInt(
        command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER).lines().toList().get(1));
  }
}
