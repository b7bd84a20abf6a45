package io.firstcome.bootstrap.rest.coupon;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.cache.Ticker;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.contracts.ConcurrentCalls;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

@Timeout(30)
class CouponSnapshotsTest {

  private static final int CALLERS = 1_000;

  private final Coupon coupon = aCoupon().build();
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger reads = new AtomicInteger();
  private final Ticker ticker = nanos::get;
  private final CouponSnapshots snapshots =
      new CouponSnapshots(this::read, new JsonMapper(), ticker);

  /** Runs in each read. */
  private Runnable duringRead = () -> {};

  private boolean isDefined = true;
  private int remaining = 7;

  private Optional<ReadCoupon.View> read(CouponId id) {
    reads.incrementAndGet();
    duringRead.run();
    return isDefined && id.equals(coupon.id())
        ? Optional.of(
            new ReadCoupon.View(
                new StoredCoupon(coupon, ACCEPTED_AT, ACCEPTED_AT),
                Optional.of(remaining),
                ACCEPTED_AT.plusNanos(nanos.get())))
        : Optional.empty();
  }

  private Optional<CouponSnapshot> find() {
    return snapshots.find(coupon.id());
  }

  private String json() {
    return new String(find().orElseThrow().document().json(), UTF_8);
  }

  private void timePasses(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void a_coupon_is_read_once_a_second() {
    assertThat(json()).contains("\"remaining\":7");
    remaining = 6;
    timePasses(CouponSnapshots.FRESH_FOR.minusNanos(1));
    assertThat(json()).contains("\"remaining\":7");
    assertThat(reads).hasValue(1);

    timePasses(Duration.ofNanos(1));
    assertThat(json()).contains("\"remaining\":6");
    assertThat(reads).hasValue(2);
  }

  @Test
  void the_entity_tag_changes_with_the_representation_only() {
    var first = find().orElseThrow().document().etag();
    timePasses(CouponSnapshots.FRESH_FOR);
    assertThat(find().orElseThrow().document().etag()).isEqualTo(first).matches("W/\"[0-9a-f]+\"");

    remaining = 6;
    timePasses(CouponSnapshots.FRESH_FOR);
    assertThat(find().orElseThrow().document().etag()).isNotEqualTo(first);
  }

  @Test
  void an_unknown_id_is_known_as_such_for_a_shorter_time() {
    isDefined = false;
    assertThat(find()).isEmpty();
    isDefined = true;
    assertThat(find()).isEmpty();

    timePasses(CouponSnapshots.ABSENT_FOR);
    assertThat(find()).isPresent();
    assertThat(reads).hasValue(2);
  }

  @Test
  void a_failure_is_not_kept() {
    duringRead = CouponSnapshotsTest::fail;
    assertThatThrownBy(this::find).isInstanceOf(DatabaseUnavailableException.class);

    duringRead = () -> {};
    assertThat(find()).isPresent();
  }

  @Test
  void concurrent_callers_share_one_read() throws InterruptedException {
    assertThat(findConcurrently(() -> {}))
        .allSatisfy(found -> assertThat(found.resultNow()).isPresent());
    assertThat(reads).hasValue(1);
  }

  @Test
  void concurrent_callers_share_one_failure() throws InterruptedException {
    assertThat(findConcurrently(CouponSnapshotsTest::fail))
        .allSatisfy(found ->
            assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(found::get)
                .withCauseInstanceOf(DatabaseUnavailableException.class));
    assertThat(reads).hasValue(1);
  }

  private static void fail() {
    throw new DatabaseUnavailableException(Effect.NONE, "a test", new IOException());
  }

  /** The results of callers that all wait before the first read ends. */
  private List<? extends Future<Optional<CouponSnapshot>>> findConcurrently(Runnable end)
      throws InterruptedException {
    var calls = new ConcurrentCalls<>(CALLERS, this::find);
    duringRead =
        () -> {
          calls.awaitOthers();
          end.run();
        };
    return calls.results();
  }
}
