package io.firstcome.bootstrap.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenBucketsTest {

  private static final Duration WINDOW = Duration.ofSeconds(10);

  private final TokenBuckets buckets = new TokenBuckets("claim", 4, WINDOW, 100);

  @Test
  void a_caller_may_send_the_limit_at_once_and_not_more() {
    IntStream.range(0, 4).forEach(_ -> assertThat(buckets.count("ann").isExceeded()).isFalse());

    var quota = buckets.count("ann");
    assertThat(quota.isExceeded()).isTrue();
    assertThat(quota.remaining()).isZero();
    assertThat(quota.retryIn()).isPositive().isLessThanOrEqualTo(WINDOW.dividedBy(4));
    assertThat(quota.fullIn()).isPositive().isLessThanOrEqualTo(WINDOW);
  }

  @Test
  void callers_are_counted_apart() {
    IntStream.range(0, 5).forEach(_ -> buckets.count("ann"));

    assertThat(buckets.count("bob").isExceeded()).isFalse();
  }

  @Test
  void requests_come_back_with_time() throws InterruptedException {
    var fast = new TokenBuckets("claim", 2, Duration.ofMillis(20), 100);
    IntStream.range(0, 3).forEach(_ -> fast.count("ann"));

    Thread.sleep(Duration.ofMillis(30));
    assertThat(fast.count("ann").isExceeded()).isFalse();
  }

  @Test
  void a_caller_is_informed_when_less_than_half_is_left() {
    assertThat(buckets.count("ann").isScarce()).isFalse();
    assertThat(buckets.count("ann").isScarce()).isFalse();
    var third = buckets.count("ann");

    assertThat(third.isScarce()).isTrue();
    assertThat(third.policyHeader()).isEqualTo("\"claim\";q=4;w=10");
    assertThat(third.header()).isEqualTo("\"claim\";r=1;t=8");
  }
}
