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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Redis that does not know some of the scripts, or has lost all of them. */
class RedisScriptsIT {

  private static final Epoch EPOCH = new Epoch(1);
  private static final Duration SOON = Duration.ofSeconds(1);

  private final RedisBackend backend = RedisBackend.empty(100);
  private final StockAddress coupon =
      new StockAddress(aCoupon().build().id(), aCoupon().build().partition(), EPOCH);

  @BeforeEach
  void open() {
    backend.recovery().begin(coupon.partition(), EPOCH);
    backend.recovery().open(coupon.partition(), EPOCH);
    backend.stock().create(coupon, null, StockTerms.of(aCoupon().build()));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  /** As after an upgrade that changes only this script: the server knows all others. */
  @ParameterizedTest
  @EnumSource(LuaScript.class)
  void reading_the_fence_loads_any_script_that_the_server_lacks(LuaScript script) {
    forget(script);

    backend.connect();

    assertThat(isKnown(script)).isTrue();
    assertThat(answer(claim("ann"))).isEqualTo(new ClaimOutcome.Accepted(new Slot(1)));
  }

  @Test
  void claims_whose_script_is_missing_have_no_effect_and_the_next_claims_succeed() {
    backend.commands(commands -> commands.scriptFlush());
    var inFlight = new ArrayList<CompletionStage<List<ClaimOutcome>>>();
    for (int i = 0; i < 4; i++) {
      inFlight.add(claim("user-" + i));
    }

    // Claims after the first reply may find the scripts loaded already.
    assertThat(isRefusedWithoutEffect(inFlight.getFirst())).isTrue();
    long refused = inFlight.stream().filter(RedisScriptsIT::isRefusedWithoutEffect).count();
    var next = new Slot((int) (inFlight.size() - refused + 1));
    assertThat(answer(claim("ann"))).isEqualTo(new ClaimOutcome.Accepted(next));
    assertThat(backend.recovery().fence(coupon.partition()).isOpenAt(EPOCH)).isTrue();
  }

  private static boolean isRefusedWithoutEffect(CompletionStage<List<ClaimOutcome>> call) {
    try {
      var _ = answer(call);
      return false;
    } catch (CompletionException e) {
      return e.getCause() instanceof StockUnavailableException failure
          && failure.effect() == Effect.NONE;
    }
  }

  @Test
  void a_synchronous_call_loads_its_missing_script() {
    backend.commands(commands -> commands.scriptFlush());

    assertThat(backend.stock().level(coupon).next()).isEqualTo(1);
  }

  /** The server can only flush all scripts, so all others are loaded again. */
  private void forget(LuaScript forgotten) {
    backend.commands(commands -> commands.scriptFlush());
    for (var script : LuaScript.values()) {
      if (script != forgotten) {
        backend.commands(commands -> commands.scriptLoad(script.source()));
      }
    }
    assertThat(isKnown(forgotten)).isFalse();
  }

  private boolean isKnown(LuaScript script) {
    return backend.commands(commands -> commands.scriptExists(script.sha1())).getFirst();
  }

  private CompletionStage<List<ClaimOutcome>> claim(String user) {
    return backend
        .stock()
        .claim(coupon, null, List.of(CouponFixtures.claimOf(new UserId(user))), SOON);
  }

  private static ClaimOutcome answer(CompletionStage<List<ClaimOutcome>> call) {
    return call.toCompletableFuture().join().getFirst();
  }
}
