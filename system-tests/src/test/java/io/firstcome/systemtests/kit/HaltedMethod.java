package io.firstcome.systemtests.kit;

import io.firstcome.systemtests.agent.HaltPoint;
import io.firstcome.systemtests.agent.HaltPoint.Moment;

/** The methods of the service at which scenarios halt or freeze an instance. */
public enum HaltedMethod {
  SEND_CLAIMS("adapter-redis", "adapter.redis.ClaimCalls", "sendClaim"),
  READ_OUTCOMES("adapter-redis", "adapter.redis.ClaimCalls", "outcomes"),
  RELEASE_SLOT("adapter-redis", "adapter.redis.RedisCouponStock", "release"),
  ERASE_IN_STOCK("adapter-redis", "adapter.redis.RedisCouponStock", "erase"),
  REMOVE_ENTRIES("adapter-redis", "adapter.redis.RedisHandoffLog", "recorded"),
  PUBLISH_CLAIMS("adapter-rabbitmq", "adapter.rabbitmq.RabbitClaimPublisher", "publish"),
  AWAIT_CONFIRM("adapter-rabbitmq", "adapter.rabbitmq.ConfirmedPublisher", "requireConfirmed"),
  PUBLISH_EVENTS("adapter-rabbitmq", "adapter.rabbitmq.RabbitEventPublisher", "publish"),
  RECEIVE_CLAIMS("adapter-rabbitmq", "adapter.rabbitmq.RabbitClaimListener", "onMessageBatch"),
  ACKNOWLEDGE("adapter-rabbitmq", "adapter.rabbitmq.RabbitClaimListener", "acknowledge"),
  RECORD(
      "adapter-persistence", "adapter.persistence.usercoupon.JooqUserCouponRepository", "record"),
  WRITE_ROWS("adapter-persistence", "adapter.persistence.recording.ClaimRecording", "record"),
  EDIT_COUPON(
      "adapter-persistence", "adapter.persistence.coupon.JooqCouponRepository", "editUnclaimed"),
  HOLD_EPOCHS("adapter-persistence", "adapter.persistence.epoch.Epochs", "hold"),
  DRAIN_QUEUE("application", "application.recovery.RecoverStock", "letRecordersEmptyTheQueue"),
  EXPORT_ROWS("bootstrap", "bootstrap.retention.FileExport", "store"),
  COUNT_ANSWER("bootstrap", "bootstrap.rest.claim.CountedClaims", "count");

  private final String module;
  private final String className;
  private final String method;

  HaltedMethod(String module, String className, String method) {
    this.module = module;
    this.className = "io.firstcome." + className;
    this.method = method;
  }

  /** Before the method runs for the n-th time in an instance, counted from 1. */
  public HaltPoint entered(int times) {
    return new HaltPoint(className, method, Moment.ENTER, times);
  }

  /** Before the method returns normally for the n-th time in an instance, counted from 1. */
  public HaltPoint returned(int times) {
    return new HaltPoint(className, method, Moment.EXIT, times);
  }

  String module() {
    return module;
  }

  String className() {
    return className;
  }

  String method() {
    return method;
  }
}
