package io.firstcome.bootstrap.operation.start;

import io.firstcome.application.stock.FindStrandedCoupons;
import io.firstcome.bootstrap.wiring.WithPostgresAlone;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Fails the start if coupons have their stock in Redis, which this deployment does not have. */
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

  /** Starts before every other component. */
  @Override
  public int getPhase() {
    return -2;
  }
}
