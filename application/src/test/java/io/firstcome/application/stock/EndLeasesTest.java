package io.firstcome.application.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.ManualClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndLeasesTest {

  private static final Duration TOO_SHORT = SoldOutLease.OVER_AFTER.minusMillis(1);

  private final Coupon coupon = aCoupon().build();
  private final ManualClock clock = new ManualClock();
  private final List<Long> ended = new ArrayList<>();
  private Runnable whileReading = () -> {};
  private long latest = 7;
  private @Nullable StockUnavailableException failure;

  private final EndLeases endLeases =
      new EndLeases(
          new SoldOutLeases() {
            @Override
            public Optional<SoldOutLease> request(StockAddress address) {
              throw new AssertionError("not needed to end leases");
            }

            @Override
            public long latest(StockAddress address) {
              whileReading.run();
              if (failure != null) {
                throw failure;
              }
              return latest;
            }

            @Override
            public void end(StockAddress address, long lease) {
              ended.add(lease);
            }
          },
          new KnownEpochs(),
          clock);

  @Test
  void a_lease_is_ended_when_it_is_over_for_every_holder() {
    endLeases.endLater(coupon);
    clock.pass(Duration.ofMinutes(1));
    endLeases.endDue();
    clock.pass(TOO_SHORT);
    endLeases.endDue();
    assertThat(ended).as("counted from the time at which its number was read").isEmpty();

    clock.pass(Duration.ofMillis(1));
    endLeases.endDue();
    endLeases.endDue();

    assertThat(ended).containsExactly(7L);
  }

  @Test
  void a_lease_that_was_granted_meanwhile_is_not_ended() {
    endLeases.endLater(coupon);
    endLeases.endDue();
    latest = 8;
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();

    assertThat(ended).containsExactly(7L);
  }

  @Test
  void requests_that_come_while_the_number_is_read_do_not_delay_the_end() {
    whileReading = () -> endLeases.endLater(coupon);
    endLeases.endLater(coupon);
    endLeases.endDue();
    for (int i = 0; i < 10; i++) {
      endLeases.endLater(coupon);
      endLeases.endDue();
    }
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();

    assertThat(ended).containsExactly(7L);
  }

  @Test
  void a_request_that_comes_before_the_end_is_for_a_later_lease_too() {
    endLeases.endLater(coupon);
    endLeases.endDue();
    latest = 8;
    endLeases.endLater(coupon);
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();
    endLeases.endDue();
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();

    assertThat(ended).containsExactly(7L, 8L);
  }

  @Test
  void an_archived_coupon_has_no_lease_to_wait_for() {
    failure = new StockFencedException("no stock");

    endLeases.awaitEnd(aCoupon().archived().build());

    assertThat(ended).isEmpty();
  }

  @Test
  void while_the_machine_is_suspended_no_lease_is_ended() {
    endLeases.endLater(coupon);
    endLeases.endDue();
    clock.passWall(Duration.ofHours(1));
    endLeases.endDue();

    assertThat(ended).isEmpty();
  }

  @Test
  void nothing_is_ended_if_there_is_no_lease() {
    latest = SoldOutLeases.NONE;
    endLeases.endLater(coupon);
    endLeases.endDue();
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();
    endLeases.awaitEnd(coupon);

    assertThat(ended).isEmpty();
  }

  @Test
  void an_operator_waits_until_a_lease_is_over() {
    var begun = clock.now();

    endLeases.awaitEnd(coupon);

    assertThat(ended).containsExactly(7L);
    assertThat(begun.isYounger(SoldOutLease.OVER_AFTER, clock.now())).isFalse();
  }

  @Test
  void a_coupon_of_an_earlier_epoch_does_not_delay_others() {
    var other = aCoupon().withId("OTHER").build();
    failure = new StockFencedException("a later epoch");
    endLeases.endLater(coupon);
    endLeases.endDue();
    failure = null;
    endLeases.endLater(other);
    endLeases.endDue();
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();

    assertThat(ended).containsExactly(7L);
  }

  @Test
  void a_stock_that_does_not_reply_is_reported_and_asked_again_on_request() {
    failure = new StockUnavailableException(Effect.UNKNOWN, "no reply", null);
    endLeases.endLater(coupon);
    assertThatExceptionOfType(StockUnavailableException.class).isThrownBy(endLeases::endDue);
    failure = null;
    endLeases.endDue();
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();
    assertThat(ended).isEmpty();

    endLeases.endLater(coupon);
    endLeases.endDue();
    clock.pass(SoldOutLease.OVER_AFTER);
    endLeases.endDue();

    assertThat(ended).containsExactly(7L);
  }

  @Test
  void a_coupon_in_the_database_has_no_lease_to_end() {
    var inPostgres = aCoupon().inPostgres().build();
    endLeases.endLater(inPostgres);
    endLeases.endDue();
    endLeases.awaitEnd(inPostgres);

    assertThat(ended).isEmpty();
  }
}
