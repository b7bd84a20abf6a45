package io.firstcome.bootstrap.connector;

import jakarta.servlet.ServletConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.springframework.stereotype.Component;

/**
 * The connections over which large files are sent. Their clients may take longer than {@link
 * ConnectionReaper} allows for other answers, so the caller of {@link #begin} limits their number.
 */
@Component
public class Downloads {

  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Map<String, Long> startNanosById = new ConcurrentHashMap<>();

  /** A download in progress. */
  public interface Download extends AutoCloseable {

    @Override
    void close();
  }

  /** Registers a download until it is closed. */
  public Download begin(ServletConnection connection) {
    var id = connection.getConnectionId();
    startNanosById.put(id, System.nanoTime());
    return () -> startNanosById.remove(id);
  }

  /** Whether a file is sent over this connection which may take more time. */
  boolean mayContinue(SocketWrapperBase<?> connection) {
    if (startNanosById.isEmpty()) {
      return false;
    }
    var start =
        startNanosById.get(connection.getServletConnection("http/1.1", "").getConnectionId());
    return start != null && System.nanoTime() - start < LONGEST.toNanos();
  }
}
