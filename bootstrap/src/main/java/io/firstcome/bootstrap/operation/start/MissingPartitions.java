package io.firstcome.bootstrap.operation.start;

import io.firstcome.application.stock.FindCouponsBeyondPartitions;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.bootstrap.wiring.WithRedis;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Fails the start if coupons are in partitions that this deployment no longer has. */
@Component
@WithRedis
class MissingPartitions implements SmartLifecycle {

  private final FindCouponsBeyondPartitions findCouponsBeyondPartitions;
  private final int partitions;
  private volatile boolean running;

  MissingPartitions(
      FindCouponsBeyondPartitions findCouponsBeyondPartitions, FirstcomeProperties properties) {
    this.findCouponsBeyondPartitions = findCouponsBeyondPartitions;
    this.partitions = properties.partitions();
  }

  @Override
  public void start() {
    findCouponsBeyondPartitions
        .find()
        .ifPresent(beyond -> {
          throw new MissingPartitionsException(partitions, beyond);
        });
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
