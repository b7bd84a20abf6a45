package io.firstcome.bootstrap.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.usercoupon.UserCouponId;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import org.junit.jupiter.api.Test;

class ClaimTraceTest {

  private static final UserCouponId ID = UserCouponId.parse("SUMMER.0123456789ABCDEF");

  @Test
  void the_ids_are_the_first_bytes_of_a_hash_that_a_shell_can_compute() {
    // printf 'firstcome trace\0SUMMER.0123456789ABCDEF' | sha256sum
    assertThat(ClaimTrace.of(ID))
        .isEqualTo(new ClaimTrace("ab0d1d8c1000ef2b39901bb7b3eb57cc", "ea12e90711e481de"));
  }

  @Test
  void the_ids_are_valid() {
    var trace = ClaimTrace.of(ID);

    assertThat(TraceId.isValid(trace.traceId())).isTrue();
    assertThat(SpanId.isValid(trace.spanId())).isTrue();
  }
}
