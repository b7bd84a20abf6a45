package io.firstcome.devservices;

/**
 * A running server that Firstcome stands on. One that this JVM started as a program of this machine
 * can be killed and restarted, for tests of faults; one given by the environment or run by Docker
 * answers {@link UnsupportedOperationException} to everything below {@link #port()}.
 */
public interface BackingServer {

  /** The address to connect to; always loopback for a program of this machine. */
  String host();

  /** The TCP port; the same through every {@link #restart()}. */
  int port();

  /** The process that was started last: the one whose SIGKILL is the end of the server. */
  long pid();

  boolean isAlive();

  /** SIGKILLs the server and whatever it leaves, and returns when all of it is gone. */
  void kill();

  /** Ends the server as an operator would, within a bounded time, else by {@link #kill()}. */
  void stop();

  /** SIGSTOPs the server and what it has started: it keeps its connections and answers nothing. */
  void pause();

  /** Lets a paused server go on where it was; does nothing to one that runs. */
  void resume();

  /**
   * Starts the server again on the same port and data, after {@link #stop()}, {@link #kill()} or a
   * kill from outside; a server that runs is stopped first. Returns when it answers.
   *
   * @throws IllegalStateException if it does not come up, with the end of its log
   */
  void restart();
}
