package io.firstcome.devservices;

/** A Redis Sentinel, which watches one master and promotes a replica when that is gone. */
public sealed interface SentinelServer extends BackingServer permits LocalSentinel {

  /** What it calls the master, whichever server that is. */
  String MASTER = "firstcome";

  /**
   * Sends one command as {@link RedisServer#command} does.
   *
   * @throws IllegalStateException if it cannot be reached or answers an error
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
