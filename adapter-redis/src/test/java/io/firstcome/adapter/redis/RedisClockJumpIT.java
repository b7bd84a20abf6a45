package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.RedisClock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Redis whose clock is wrong for a short time. */
class RedisClockJumpIT {

  private static final Epoch EPOCH = new Epoch(1);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration WITHIN = Duration.ofSeconds(2);
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final Duration STALE_AFTER = Duration.ofSeconds(10);
  private static final ClaimOutcome FIRST = new ClaimOutcome.Accepted(new Slot(1));

  /** Its window is open now, and neither a month before nor a month after. */
  private final Coupon open =
      aCoupon()
          .opening(Instant.now().minusSeconds(3_600), Instant.now().plusSeconds(3_600))
          .build();

  private final StockAddress address = new StockAddress(open.id(), open.partition(), EPOCH);

  private DevServices servers;
  private RedisClock clock;
  private RedisBackend backend;

  @BeforeAll
  static void requireLibrary() {
    assumeTrue(
        RedisClock.isAvailable() || "true".equals(System.getenv("CI")),
        "libfaketime and an installed Redis");
  }

  @BeforeEach
  void open(@TempDir Path folder) {
    clock = DevServices.redisClockIn(folder);
    servers = DevServices.in(folder, clock);
    backend = RedisBackend.of(servers.redis(), RedisLimits.defaults());
    readFence();
    backend.recovery().begin(address.partition(), EPOCH);
    backend.recovery().open(address.partition(), EPOCH);
    backend.stock().create(address, null, StockTerms.of(open));
  }

  @AfterEach
  void close() {
    backend.close();
    servers.close();
  }

  /** Reads the fence, as the keeper does periodically. */
  private void readFence() {
    backend.connect();
  }

  @Test
  void a_call_during_a_forward_clock_jump_has_no_effect() {
    clock.shiftBy(MONTH);
    assertThat(failure(claim("ann")).effect()).isEqualTo(Effect.NONE);

    clock.shiftBy(Duration.ZERO);
    assertThat(outcome(claim("ann"))).isEqualTo(FIRST);
  }

  @Test
  void a_call_during_a_backward_clock_jump_has_no_effect() {
    clock.shiftBy(MONTH.negated());
    assertThat(failure(claim("ann")).effect()).isEqualTo(Effect.NONE);

    clock.shiftBy(Duration.ZERO);
    assertThat(outcome(claim("ann"))).isEqualTo(FIRST);
  }

  @Test
  void a_detected_clock_jump_is_not_followed_and_calls_are_refused_until_it_ends() {
    for (var jump : List.of(MONTH, MONTH.negated())) {
      clock.shiftBy(jump);
      readFence();
      readFence();
      assertThat(failure(claim("ann")).effect()).isEqualTo(Effect.NONE);

      clock.shiftBy(Duration.ZERO);
      readFence();
      assertThat(outcome(claim("user-" + jump))).isInstanceOf(ClaimOutcome.Accepted.class);
    }
  }

  @Test
  void an_entry_has_its_own_time_when_ids_are_ahead_of_the_clock() {
    clock.shiftBy(MONTH);
    idsAreAhead();
    clock.shiftBy(Duration.ZERO);
    outcome(claim("ann"));

    var entry = log().readNew(10, AT_ONCE).getFirst();
    assertThat(entry.acceptedAt()).isCloseTo(Instant.now(), within(5, ChronoUnit.SECONDS));
    assertThat(LogEntries.writtenAt(entry.reference().entryId(), Map.of()))
        .as("time of the id")
        .isAfter(Instant.now().plus(MONTH).minusSeconds(60));
    assertThat(log().depth(address.partition()).oldest())
        .isNotNull()
        .isCloseTo(Instant.now(), within(5, ChronoUnit.SECONDS));
  }

  private void idsAreAhead() {
    var log = RedisKeys.handoff(address.partition());
    String id = backend.commands(commands -> commands.xadd(log, Map.of("v", "0")));
    long _ = backend.commands(commands -> commands.xdel(log, id));
  }

  @Test
  void entries_read_during_a_clock_jump_are_read_again() {
    outcome(claim("ann"));
    clock.shiftBy(MONTH);
    assertThat(log().readNew(10, AT_ONCE)).hasSize(1);
    clock.shiftBy(Duration.ZERO);
    outcome(claim("bob"));
    assertThat(log().readNew(10, AT_ONCE)).hasSize(1);

    assertThat(log().readStale(STALE_AFTER, 10))
        .flatExtracting(HandoffEntry::claims)
        .extracting(claim -> claim.userId().value())
        .containsExactly("ann");
    assertThat(log().readStale(STALE_AFTER, 10)).as("entries that are not stale").isEmpty();
  }

  private HandoffLog log() {
    return backend.log();
  }

  private CompletionStage<List<ClaimOutcome>> claim(String user) {
    return backend
        .stock()
        .claim(address, null, List.of(CouponFixtures.claimOf(new UserId(user))), WITHIN);
  }

  private static ClaimOutcome outcome(CompletionStage<List<ClaimOutcome>> answer) {
    return answer.toCompletableFuture().join().getFirst();
  }

  private static StockUnavailableException failure(CompletionStage<List<ClaimOutcome>> answer) {
    try {
      throw new AssertionError("answered " + outcome(answer));
    } catch (CompletionException e) {
      if (e.getCause() instanceof StockUnavailableException unavailable) {
        return unavailable;
      }
      throw e;
    }
  }
}
