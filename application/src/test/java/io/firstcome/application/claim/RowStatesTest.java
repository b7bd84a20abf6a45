package io.firstcome.application.claim;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.claim.ClaimAnswer.RowState;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserCouponRepository;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowStatesTest {

  private static final UserId ANN = new UserId("ann");

  private final Coupon coupon = aCoupon().withTotal(3).build();
  private final InMemoryService service = InMemoryService.with(coupon);
  private final List<RowState> concurrent = new ArrayList<>();
  private int open;

  /** Each read of a row makes another one before it ends, so that all are in progress at once. */
  private final RowStates rowStates =
      new RowStates(
          Interposed.before(UserCouponRepository.class, "find", this::readAgain)
              .port(UserCouponRepository.class, service.database.userCoupons()),
          service.limits.claims(),
          service.clock);

  private void readAgain() {
    open++;
    if (open <= service.limits.claims().rowReads() + 1) {
      concurrent.add(read());
    }
    open--;
  }

  private RowState read() {
    return rowStates.read(coupon.id(), ANN).orElseThrow();
  }

  @Test
  void concurrent_reads_beyond_the_limit_are_answered_without_a_state() {
    service.claim(coupon, "ann");
    service.relayAndRecord();

    assertThat(read()).isEqualTo(RowState.ISSUED);
    assertThat(concurrent).containsExactly(RowState.NOT_KNOWN, RowState.ISSUED);
    assertThat(service.limits.claims().rowReads()).isEqualTo(2);
  }

  @Test
  void a_read_that_has_ended_makes_room_for_the_next_one() {
    service.claim(coupon, "ann");
    service.database.disconnect();
    for (int i = 0; i < 5; i++) {
      assertThat(read()).isEqualTo(RowState.NOT_KNOWN);
    }
    service.database.reconnect();

    assertThat(read()).isEqualTo(RowState.ACCEPTED);
  }
}
