package io.firstcome.bootstrap.operation;

import io.firstcome.application.RunProofs;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Ends proofs that are under way when the service stops. */
@Component
class ProofsEnd implements SmartLifecycle {

  private final RunProofs runProofs;
  private volatile boolean running;

  ProofsEnd(RunProofs runProofs) {
    this.runProofs = runProofs;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    runProofs.stop();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Before the web server waits for the requests that are under way. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
