package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.server.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls of scripts that name a key, by Redis' command {@code MONITOR}. */
public final class MonitoredCalls implements AutoCloseable {

  private final Socket socket;
  private final AtomicLong calls = new AtomicLong();

  private MonitoredCalls(Socket socket) {
    this.socket = socket;
  }

  /** Counts from now on, until it is closed. */
  static MonitoredCalls of(RedisServer redis, String key) {
    try {
      var socket = new Socket(redis.host(), redis.port());
      socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
      var monitored = new MonitoredCalls(socket);
      var lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      if (!"+OK".equals(lines.readLine())) {
        throw new IllegalStateException("Redis refused MONITOR");
      }
      Thread.ofVirtual().start(() -> monitored.count(lines, '"' + key + '"'));
      return monitored;
    } catch (IOException e) {
      throw new UncheckedIOException("Redis cannot be monitored", e);
    }
  }

  private void count(BufferedReader lines, String key) {
    try {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains("\"EVALSHA\"") && line.contains(key)) {
          calls.incrementAndGet();
        }
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  /** The calls until now. */
  public long calls() {
    return calls.get();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
