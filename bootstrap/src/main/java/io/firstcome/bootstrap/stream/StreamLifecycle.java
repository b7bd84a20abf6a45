package io.firstcome.bootstrap.stream;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Ends all streams when the instance is stopped, so that the web server can stop. */
@Component
public final class StreamLifecycle implements SmartLifecycle {

  private volatile boolean isRunning;

  @Override
  public void start() {
    isRunning = true;
  }

  @Override
  public void stop() {
    isRunning = false;
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  /** Stops before the web server, which waits for its requests. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }
}
