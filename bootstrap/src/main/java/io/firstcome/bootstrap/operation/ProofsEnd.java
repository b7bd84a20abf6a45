package io.firstcome.bootstrap.operation;

import io.firstcome.application.reconciliation.RunProofs;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Cancels running proofs when the service stops. */
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

  /** Stops before the web server waits for the requests in flight. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
