package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims while Redis is paused, out of memory or killed. */
class RedisFaultsIT {

  private static final Epoch EPOCH = new Epoch(1);

  /** Far more than the milliseconds that it takes, and less than a call's timeout. */
  private static final Duration CLOSED_SOCKET_IS_NOTICED = Duration.ofMillis(500);

  private final RedisBackend backend = RedisBackend.empty(100);
  private final CouponStock stock = backend.stock();
  private final StockAddress coupon =
      new StockAddress(aCoupon().build().id(), aCoupon().build().partition(), EPOCH);

  @BeforeEach
  void open() {
    backend.recovery().begin(coupon.partition(), EPOCH);
    backend.recovery().open(coupon.partition(), EPOCH);
    stock.create(coupon, null, StockTerms.of(aCoupon().build()));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void a_call_that_reaches_the_server_after_its_deadline_has_no_effect() {
    backend.commands(commands -> commands.clientPause(700));

    var late = claim("ann", Duration.ofMillis(100));

    assertThat(failure(late).effect()).isEqualTo(Effect.NONE);
    assertThat(stock.find(coupon, new UserId("ann"))).isEmpty();
    assertThat(outcome(claim("ann", Duration.ofSeconds(1))))
        .isEqualTo(new ClaimOutcome.Accepted(new Slot(1)));
  }

  @Test
  void without_memory_claims_are_refused_and_calls_that_free_memory_still_work() {
    outcome(claim("ann", Duration.ofSeconds(1)));
    backend.commands(commands -> commands.configSet("maxmemory", "1"));
    try {
      assertThat(failure(claim("bob", Duration.ofSeconds(1))).effect()).isEqualTo(Effect.NONE);
      assertThat(stock.find(coupon, new UserId("bob"))).isEmpty();

      var entry = backend.log().peek(coupon.partition(), null, 1).getFirst();
      backend.log().recorded(List.of(entry.reference()));
      assertThat(backend.log().depth(coupon.partition()).entries()).isZero();
    } finally {
      backend.commands(commands -> commands.configSet("maxmemory", "0"));
    }
    assertThat(outcome(claim("bob", Duration.ofSeconds(1))))
        .isEqualTo(new ClaimOutcome.Accepted(new Slot(2)));
  }

  @Test
  void calls_in_flight_when_the_server_is_killed_are_unknown_and_not_sent_again() {
    backend.commands(commands -> commands.clientPause(60_000));
    var inFlight = new ArrayList<CompletionStage<List<ClaimOutcome>>>();
    for (int i = 0; i < 20; i++) {
      inFlight.add(claim("user-" + i, Duration.ofSeconds(60)));
    }
    backend.server().kill();

    assertThat(inFlight).allSatisfy(c -> assertThat(failure(c).effect()).isEqualTo(Effect.UNKNOWN));
    var refused = claim("ann", Duration.ofSeconds(60));
    assertThat(failure(refused).effect()).isEqualTo(Effect.NONE);

    backend.server().restart();
    backend.awaitReconnection();
    List<String> ledgers = backend.commands(commands -> commands.keys("*ledger"));
    assertThat(ledgers).isEmpty();
  }

  /** If it were buffered, it would be answered after its timeout, and sent after that. */
  @Test
  void a_call_without_a_connection_is_refused_and_not_buffered() throws InterruptedException {
    outcome(claim("ann", Duration.ofSeconds(1)));
    backend.server().kill();
    Thread.sleep(CLOSED_SOCKET_IS_NOTICED);

    assertThat(failure(claim("bob", Duration.ofSeconds(60))).effect()).isEqualTo(Effect.NONE);

    backend.server().restart();
    backend.awaitReconnection();
  }

  private CompletionStage<List<ClaimOutcome>> claim(String user, Duration within) {
    return stock.claim(coupon, null, List.of(CouponFixtures.claimOf(new UserId(user))), within);
  }

  private static ClaimOutcome outcome(CompletionStage<List<ClaimOutcome>> answer) {
    return answer.toCompletableFuture().join().getFirst();
  }

  private static StockUnavailableException failure(CompletionStage<List<ClaimOutcome>> answer) {
    try {
      var outcome = answer.toCompletableFuture().join();
      throw new AssertionError("answered " + outcome);
    } catch (CompletionException e) {
      if (e.getCause() instanceof StockUnavailableException unavailable) {
        return unavailable;
      }
      throw e;
    }
  }
}
