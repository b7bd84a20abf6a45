package io.firstcome.domain.port;

import io.firstcome.domain.event.CouponEvent;
import java.time.Instant;
import java.util.List;

/** The format in which other systems read events. */
public interface EventFormat {

  /** The type of an event, such as {@code user-coupon.issued}. */
  String type(CouponEvent event);

  /** Events of one type and coupon. */
  String text(List<CouponEvent> events);

  /** An event that nothing has led to, with which operators test a receiver. */
  String test(Instant at);

  /** The type of {@link #test}. */
  String testType();
}
