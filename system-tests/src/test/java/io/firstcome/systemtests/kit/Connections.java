package io.firstcome.systemtests.kit;

import io.firstcome.devservices.service.KeepAliveConnection;
import java.io.IOException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Kept-alive connections to one instance, which many users share. Thread-safe. */
final class Connections implements AutoCloseable {

  private static final int MOST = 256;

  private final int port;
  private final Semaphore free = new Semaphore(MOST);
  private final Deque<KeepAliveConnection> idle = new ConcurrentLinkedDeque<>();

  Connections(int port) {
    this.port = port;
  }

  /** Sends the call on a connection that nobody else uses. */
  Answer exchange(Call call) throws IOException {
    free.acquireUninterruptibly();
    KeepAliveConnection used = null;
    try {
      used = connection();
      return Answer.of(used.exchange(call.bytes()));
    } finally {
      giveBack(used);
      free.release();
    }
  }

  private KeepAliveConnection connection() throws IOException {
    var found = idle.pollFirst();
    return found == null ? KeepAliveConnection.open(port) : found;
  }

  private void giveBack(@Nullable KeepAliveConnection used) {
    if (used == null) {
      return;
    }
    if (used.isReusable()) {
      idle.addFirst(used);
    } else {
      used.close();
    }
  }

  @Override
  public void close() {
    for (var next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      next.close();
    }
  }
}
