package io.firstcome.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Free TCP ports on loopback. */
public final class Ports {

  /**
   * Below the range from which systems take the local port of an outgoing connection (32768 and up
   * on Linux). A client that reconnects again and again to a dead server whose port is in that
   * range is at last given that very port, connects to itself, and the server cannot have it back.
   */
  private static final int FIRST = 10_240;

  /** Also keeps clear of 16,000 and up, where clusters of Redis put their bus. */
  private static final int LAST = 15_600;

  private static final int ATTEMPTS_MAX = 200;
  private static final int CONNECT_LIMIT_MILLIS = 1_000;

  private Ports() {}

  /** A port that nobody listens on now. Chosen at random, so that parallel builds seldom meet. */
  public static int free() {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between %d and %d".formatted(FIRST, LAST));
  }

  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Without it, connections of a server that has just ended would count as "taken".
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(loopback(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether a server takes connections there. Safe to ask while one is about to listen: {@link
   * #isFree} takes the port for a moment, and a server that starts in that moment cannot have it.
   */
  static boolean isListening(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(loopback(), port), CONNECT_LIMIT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** 127.0.0.1 itself, where {@link InetAddress#getLoopbackAddress()} may be ::1. */
  public static InetAddress loopback() {
    try {
      return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The port written in the file if it is still free, else a new one, which is written there. */
  static int kept(Path file) {
    try {
      if (Files.exists(file)) {
        int before = Integer.parseInt(Files.readString(file).strip());
        if (isFree(before)) {
          return before;
        }
      }
      int port = free();
      Files.writeString(file, Integer.toString(port));
      return port;
    } catch (NumberFormatException e) {
      throw new IllegalStateException("no port number in " + file, e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
