package io.firstcome.devservices.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Free TCP ports on loopback. */
public final class Ports {

  /**
   * Below the ephemeral ports, the local ports of outgoing connections (32768 and up on Linux). A
   * client that retries to connect to a stopped server on an ephemeral port can get the same port
   * as its local port: it connects to itself, and the server cannot bind the port again.
   */
  private static final int FIRST = 10_240;

  /** Also below the ports of the Redis cluster bus, 16,000 and up. */
  private static final int LAST = 15_600;

  private static final int ATTEMPTS_MAX = 200;
  private static final int CONNECT_LIMIT_MILLIS = 1_000;

  /** Locked for as long as this JVM runs. */
  private static final Set<FileChannel> RESERVED = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /**
   * A random port on which no process listens, and that no other JVM of this user has got from this
   * method. It is reserved until this JVM ends.
   */
  public static int free() {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (reserve(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between %d and %d".formatted(FIRST, LAST));
  }

  /** A program can take seconds between the choice of its port and listening on it. */
  private static boolean reserve(int port) {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "firstcome-ports");
    try {
      Files.createDirectories(folder);
      FileChannel file =
          FileChannel.open(
              folder.resolve(Integer.toString(port)),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      if (isLocked(file)) {
        RESERVED.add(file);
        return true;
      }
      file.close();
      return false;
    } catch (IOException e) {
      // Another user owns the folder: there are no reservations then.
      return true;
    }
  }

  /** Whether this call has locked the file; not if this or another JVM had done so before. */
  private static boolean isLocked(FileChannel file) throws IOException {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Otherwise a port with connections of a server that has just ended would not be free.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(loopback(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether a server accepts connections on the port. Safe while a server is starting, unlike
   * {@link #isFree}, which binds the port briefly and so can make the bind of the server fail.
   */
  public static boolean isListening(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(loopback(), port), CONNECT_LIMIT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** 127.0.0.1, while {@link InetAddress#getLoopbackAddress()} may be ::1. */
  public static InetAddress loopback() {
    try {
      return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The port in the file if it is still free, otherwise a new one, which is written to the file.
   */
  public static int kept(Path file) {
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
