package io.firstcome.devservices.server;

/**
 * A running server that Firstcome depends on. A server that this JVM started, as a local program or
 * in a container, can be killed and restarted, for fault tests. For a server given by the
 * environment, all methods below {@link #port()} throw {@link UnsupportedOperationException}.
 */
public interface BackingServer {

  /** The address to connect to; always loopback for a local program. */
  String host();

  /** The TCP port; the same through every {@link #restart()}. */
  int port();

  /** The process that was started last; SIGKILL to it ends the server. */
  long pid();

  boolean isAlive();

  /** SIGKILLs the server and its remaining processes, and returns when all have ended. */
  void kill();

  /** Ends the server cleanly within a bounded time, otherwise by {@link #kill()}. */
  void stop();

  /** SIGSTOPs the server and its descendants: it keeps its connections and does not reply. */
  void pause();

  /** Resumes a paused server; no effect on one that is not paused. */
  void resume();

  /**
   * Starts the server again on the same port and data, after {@link #stop()}, {@link #kill()} or an
   * external kill; a running server is stopped first. Returns when the server is ready.
   *
   * @throws IllegalStateException if it does not start; the message quotes the end of its log
   */
  void restart();
}
