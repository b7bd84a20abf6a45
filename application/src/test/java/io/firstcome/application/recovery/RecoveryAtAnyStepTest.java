package io.firstcome.application.recovery;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.StockFencedException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A recovery that dies, or is overtaken by another one, at each of its calls: no claim that a
 * server still has is lost, and its slot changes only if the stock has lost it.
 */
@Timeout(120)
class RecoveryAtAnyStepTest {

  private static final int CLAIMED = 9;
  private static final int CALLS_MIN = 15;

  /** Why the recovery is needed. */
  enum Cause {
    RESTART(CLAIMED, CLAIMED) {
      @Override
      void happenTo(InMemoryService service) {
        service.stock.restart();
      }
    },
    EMPTIED(6, 3) {
      @Override
      void happenTo(InMemoryService service) {
        service.stock.wipe();
      }
    };

    /** The number of users, from the first one, whose claims a server still has. */
    private final int known;

    /** The number of users, from the first one, who keep their slots. */
    private final int slotsKept;

    Cause(int known, int slotsKept) {
      this.known = known;
      this.slotsKept = slotsKept;
    }

    abstract void happenTo(InMemoryService service);
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Runs an event at the call with the given number, and counts the calls. */
  private static final class AtCall implements Interposed.Step {

    private final int number;
    private final BiFunction<Callable<Object>, Integer, Object> event;
    private int calls;

    AtCall(int number, BiFunction<Callable<Object>, Integer, Object> event) {
      this.number = number;
      this.event = event;
    }

    boolean happened() {
      return calls >= number;
    }

    @Override
    public Object around(Method method, List<?> arguments, Callable<Object> call) throws Exception {
      calls++;
      return calls == number ? event.apply(call, calls) : call.call();
    }
  }

  @ParameterizedTest
  @EnumSource(Cause.class)
  void a_recovery_dies_before_a_call_takes_effect(Cause cause) throws InterruptedException {
    diesAtEach(
        cause,
        (_, _) -> {
          throw new Killed();
        });
  }

  @ParameterizedTest
  @EnumSource(Cause.class)
  void a_recovery_dies_after_a_call_has_taken_effect(Cause cause) throws InterruptedException {
    diesAtEach(
        cause,
        (call, _) -> {
          endSession(resultOf(call));
          throw new Killed();
        });
  }

  private static void diesAtEach(Cause cause, BiFunction<Callable<Object>, Integer, Object> death)
      throws InterruptedException {
    int number = 0;
    boolean died = true;
    while (died) {
      number++;
      var service = halfWay(aCoupon().withTotal(30).build());
      cause.happenTo(service);
      var atCall = new AtCall(number, death);
      try {
        var _ =
            service
                .recoverStock(new Interposed(atCall))
                .openOrRecover(InMemoryService.PARTITION, null);
      } catch (Killed e) {
        assertThat(atCall.happened()).isTrue();
      }
      died = atCall.happened();

      service.checkTheFence();
      assertNoClaimIsLost(service, cause, number);
    }
    assertThat(number).as("calls of a recovery").isGreaterThan(CALLS_MIN);
  }

  /** The recoverer lost its session without noticing, and claims continue in the later epoch. */
  @ParameterizedTest
  @EnumSource(Cause.class)
  void a_recovery_is_overtaken_before_a_call(Cause cause) throws InterruptedException {
    int number = 0;
    boolean overtaken = true;
    while (overtaken) {
      number++;
      var coupon = aCoupon().withTotal(30).build();
      var service = halfWay(coupon);
      cause.happenTo(service);
      var atCall =
          new AtCall(
              number,
              (call, _) -> {
                recoverElsewhere(service);
                assertThat(service.claim(coupon, "late-comer"))
                    .isInstanceOf(ClaimAnswer.Accepted.class);
                return resultOf(call);
              });
      try {
        var _ =
            service
                .recoverStock(new Interposed(atCall))
                .openOrRecover(InMemoryService.PARTITION, null);
      } catch (StockFencedException e) {
        assertThat(atCall.happened()).isTrue();
      }
      overtaken = atCall.happened();

      service.checkTheFence();
      assertNoClaimIsLost(service, cause, number);
      assertThat(service.row(coupon, "late-comer").isPresent()).isEqualTo(overtaken);
    }
    assertThat(number).as("calls of a recovery").isGreaterThan(CALLS_MIN);
  }

  /** Recovers after one more failover, in an instance that has got the recovery lease. */
  private static void recoverElsewhere(InMemoryService service) {
    service.stock.restart();
    try {
      var recovered =
          service
              .recoverStock(Interposed.withoutLeases())
              .openOrRecover(InMemoryService.PARTITION, null);
      assertThat(recovered).isInstanceOf(Recovery.Open.class);
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }

  /** Three claims have rows, three are in the queue, and three only in the log. */
  private static InMemoryService halfWay(Coupon coupon) {
    var service = InMemoryService.with(coupon);
    claim(service, coupon, 1, 3);
    service.relayAndRecord();
    claim(service, coupon, 4, 6);
    service.relay.relayNew();
    claim(service, coupon, 7, CLAIMED);
    return service;
  }

  private static void claim(InMemoryService service, Coupon coupon, int from, int to) {
    for (int i = from; i <= to; i++) {
      assertThat(service.claim(coupon, "user-" + i)).isInstanceOf(ClaimAnswer.Accepted.class);
    }
  }

  private static void assertNoClaimIsLost(InMemoryService service, Cause cause, int number) {
    var coupon = service.database.coupons().inPartition(InMemoryService.PARTITION).getFirst();
    recordAndSettleAll(service);
    assertThat(service.proof(coupon).exact())
        .as("call %d: %s", number, service.proof(coupon))
        .isTrue();
    var users = new HashSet<UserId>();
    var rows = service.database.ports().holders(coupon.id());
    rows.forEach(row -> users.add(row.userId()));
    assertThat(users).as("users with a row, call %d", number).hasSameSizeAs(rows);
    for (int i = 1; i <= cause.known; i++) {
      assertThat(users).as("call %d", number).contains(new UserId("user-" + i));
    }
    for (int i = 1; i <= cause.slotsKept; i++) {
      assertThat(service.row(coupon, "user-" + i).orElseThrow().slot().number()).isEqualTo(i);
    }
    assertThat(service.claim(coupon, "next")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private static void recordAndSettleAll(InMemoryService service) {
    do {
      service.relayAndRecord();
      service.relay.relayStale();
      service.settleAll();
    } while (service.logDepth() > 0 || service.broker.waiting() > 0);
  }

  /** Ends the session of the process, and with it a recovery lease that was just granted. */
  private static void endSession(Object result) {
    if (result instanceof Optional<?> given
        && given.orElse(null) instanceof PartitionEpochs.Lease lease) {
      lease.close();
    }
  }

  private static Object resultOf(Callable<Object> call) {
    try {
      return call.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a port threw a checked exception", e);
    }
  }
}
