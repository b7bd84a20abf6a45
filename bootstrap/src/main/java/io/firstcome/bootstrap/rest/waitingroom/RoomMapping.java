package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.bootstrap.rest.request.CouponPathMapping;
import io.firstcome.bootstrap.wiring.WithRedis;
import org.springframework.stereotype.Component;

/** Maps the path of waiting rooms to {@link RoomHandler}. */
@Component
@WithRedis
class RoomMapping extends CouponPathMapping {

  RoomMapping(RoomHandler handler) {
    super(pattern("/waiting-room"), handler);
  }
}
