package io.firstcome.bootstrap.connector;

import jakarta.servlet.ServletConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The connections from which the body of a request is being read, and since when. */
@Component
class BodyReads {

  private final Map<String, Long> startNanosById = new ConcurrentHashMap<>();

  /** The number of reads in progress. */
  int count() {
    return startNanosById.size();
  }

  /** Registers a read until it is closed. */
  Read begin(ServletConnection connection) {
    var id = connection.getConnectionId();
    startNanosById.put(id, System.nanoTime());
    return () -> startNanosById.remove(id);
  }

  /** The {@link System#nanoTime} at which the read from this connection began, or null. */
  @Nullable Long startNanos(SocketWrapperBase<?> connection) {
    return startNanosById.isEmpty()
        ? null
        : startNanosById.get(connection.getServletConnection("http/1.1", "").getConnectionId());
  }

  /** A read in progress. */
  interface Read extends AutoCloseable {

    @Override
    void close();
  }
}
