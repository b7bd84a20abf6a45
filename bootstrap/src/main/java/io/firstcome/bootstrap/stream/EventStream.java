package io.firstcome.bootstrap.stream;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A stream of events to one client. */
public final class EventStream {

  /** The time between two events at least. */
  static final Duration EVERY = Duration.ofSeconds(1);

  /** The client connects again after it: so its credentials are checked, and the load is spread. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final HttpServletResponse response;
  private final BooleanSupplier isRunning;
  private final long begun = System.nanoTime();

  EventStream(HttpServletResponse response, BooleanSupplier isRunning) {
    this.response = response;
    this.isRunning = isRunning;
  }

  /** Sets the time after which the client connects again when the stream has ended. */
  public void retryAfter(Duration time) throws IOException {
    write("retry: " + time.toMillis() + "\n");
  }

  /**
   * Sends an event.
   *
   * @param data one line, such as JSON
   * @throws IOException if the client is gone or does not read
   */
  public void send(String event, String data) throws IOException {
    write("event: %s\ndata: %s\n\n".formatted(event, data));
  }

  private void write(String text) throws IOException {
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    response.flushBuffer();
  }

  /**
   * Waits for a second.
   *
   * @return whether the stream continues; it ends after some minutes, or when the instance is
   *     stopped
   */
  public boolean awaitNext() throws InterruptedException {
    Thread.sleep(EVERY);
    return isRunning.getAsBoolean() && System.nanoTime() - begun < LONGEST.toNanos();
  }
}
