package io.firstcome.devservices;

/** A Redis that answers a write only when it is on disk. */
public sealed interface RedisServer extends BackingServer permits LocalRedis, Remote.Redis {

  /** One that somebody else has started there, without a password. */
  static RedisServer at(String host, int port) {
    return new Remote.Redis(host, port);
  }

  /**
   * Sends one command over a connection of its own and gives the reply as text: strings as they
   * are, integers in decimal, nil as the empty string, arrays one element a line. For checks and
   * tests, not for load.
   *
   * @throws IllegalStateException if Redis cannot be reached or answers an error
   */
  default String command(String... words) {
    return Resp.command(host(), port(), words);
  }
}
