package io.firstcome.devservices.server;

/** A Redis that replies to a write only when it is on disk. */
public sealed interface RedisServer extends BackingServer
    permits LocalRedis, InContainer.Redis, Remote.Redis {

  /** A server at this address, without a password, that was not started here. */
  static RedisServer at(String host, int port) {
    return new Remote.Redis(host, port);
  }

  /** The user of the service, or empty if Redis has only the default user, without a password. */
  default String serviceUser() {
    return "";
  }

  /** The password of {@link #serviceUser()}. */
  default String password() {
    return "";
  }

  /**
   * Sends one command over a new connection and returns the reply as text: strings unchanged,
   * integers in decimal, nil as the empty string, arrays with one element per line. For checks and
   * tests, not for load.
   *
   * @throws IllegalStateException if Redis is not reachable or replies with an error
   */
  default String command(String... words) {
    return Resp.command(host(), port(), words);
  }
}
