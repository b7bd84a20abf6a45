package io.firstcome.bootstrap.operation;

import io.firstcome.application.FindStrandedCoupons;
import io.firstcome.bootstrap.wiring.WithPostgresAlone;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Fails the start where coupons have their stock in a Redis that this deployment does not have. */
@Component
@WithPostgresAlone
class StrandedCoupons implements SmartLifecycle {

  private final FindStrandedCoupons findStrandedCoupons;
  private volatile boolean running;

  StrandedCoupons(FindStrandedCoupons findStrandedCoupons) {
    this.findStrandedCoupons = findStrandedCoupons;
  }

  @Override
  public void start() {
    var stranded = findStrandedCoupons.find();
    if (!stranded.isEmpty()) {
      throw new StrandedCouponsException(stranded);
    }
    running = true;
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Before anything else is done. */
  @Override
  public int getPhase() {
    return -2;
  }
}
