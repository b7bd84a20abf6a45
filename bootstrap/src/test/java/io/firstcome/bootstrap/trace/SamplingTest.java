package io.firstcome.bootstrap.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SamplingTest {

  private static final int USERS = 100_000;

  private static final CouponId SUMMER = new CouponId("SUMMER");

  private static List<UserId> sampled(double probability, CouponId coupon) {
    var sampling = new Sampling(probability);
    return IntStream.range(0, USERS)
        .mapToObj(number -> new UserId("user-" + number))
        .filter(user -> sampling.includes(coupon, user))
        .toList();
  }

  @Test
  void of_users_with_consecutive_ids_as_many_are_sampled_as_configured() {
    assertThat((double) sampled(0.01, SUMMER).size()).isCloseTo(USERS * 0.01, within(150.0));
    assertThat((double) sampled(0.5, SUMMER).size()).isCloseTo(USERS * 0.5, within(1_000.0));
  }

  @Test
  void other_users_are_sampled_for_another_coupon() {
    var both = new HashSet<>(sampled(0.01, SUMMER));
    both.retainAll(sampled(0.01, new CouponId("WINTER")));

    assertThat(both).hasSizeLessThan(50);
  }

  @Test
  void each_claim_that_is_sampled_with_a_lower_probability_is_sampled_with_a_higher_one() {
    assertThat(sampled(0.1, SUMMER)).containsAll(sampled(0.01, SUMMER));
  }

  @Test
  void all_or_none_can_be_sampled() {
    assertThat(sampled(1, SUMMER)).hasSize(USERS);
    assertThat(sampled(0, SUMMER)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, 1.01, Double.NaN})
  void another_probability_is_refused(double probability) {
    assertThatExceptionOfType(InvalidSettingException.class)
        .isThrownBy(() -> new Sampling(probability))
        .withMessageContaining("management.tracing.sampling.probability");
  }
}
