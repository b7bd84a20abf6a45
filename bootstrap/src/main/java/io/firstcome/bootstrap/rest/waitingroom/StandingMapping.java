package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.bootstrap.rest.request.CouponPathMapping;
import io.firstcome.bootstrap.wiring.WithRedis;
import org.springframework.stereotype.Component;

/** Maps the path of standings to {@link StandingHandler}. */
@Component
@WithRedis
class StandingMapping extends CouponPathMapping {

  StandingMapping(StandingHandler handler) {
    super(pattern("/waiting-room/me"), handler);
  }
}
