package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

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
 * A recovery that dies, or is overtaken by another one, at each of the calls that it makes: whoever
 * was promised a slot ends with it, or with another where its last trace is gone.
 */
@Timeout(120)
class RecoveryAtAnyStepTest {

  private static final int CLAIMED = 9;
  private static final int CALLS_MIN = 15;

  /** What the recovery is needed for. */
  enum Cause {
    RESTART(CLAIMED, CLAIMED) {
      @Override
      void happenTo(World world) {
        world.stock.restart();
      }
    },
    EMPTIED(6, 3) {
      @Override
      void happenTo(World world) {
        world.stock.wipe();
      }
    };

    /** So many users are still known to somebody, the first ones. */
    private final int known;

    /** So many of them have their slot for sure. */
    private final int slotsKept;

    Cause(int known, int slotsKept) {
      this.known = known;
      this.slotsKept = slotsKept;
    }

    abstract void happenTo(World world);
  }

  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Lets something happen at the call of that number, and counts the calls. */
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
  void it_dies_before_a_call_takes_effect(Cause cause) throws InterruptedException {
    diesAtEach(
        cause,
        (_, _) -> {
          throw new Killed();
        });
  }

  @ParameterizedTest
  @EnumSource(Cause.class)
  void it_dies_when_a_call_has_taken_effect(Cause cause) throws InterruptedException {
    diesAtEach(
        cause,
        (call, _) -> {
          endSession(made(call));
          throw new Killed();
        });
  }

  private static void diesAtEach(Cause cause, BiFunction<Callable<Object>, Integer, Object> death)
      throws InterruptedException {
    int number = 0;
    boolean died = true;
    while (died) {
      number++;
      var world = halfWay(aCoupon().withTotal(30).build());
      cause.happenTo(world);
      var atCall = new AtCall(number, death);
      try {
        var _ = world.recoverStock(new Interposed(atCall)).openOrRecover(World.PARTITION, null);
      } catch (Killed e) {
        assertThat(atCall.happened()).isTrue();
      }
      died = atCall.happened();

      world.lookAtTheFence();
      assertEverybodyIsServed(world, cause, number);
    }
    assertThat(number).as("calls of a recovery").isGreaterThan(CALLS_MIN);
  }

  /** Its session was lost without its knowledge, and meanwhile claims go on in the later epoch. */
  @ParameterizedTest
  @EnumSource(Cause.class)
  void it_is_overtaken_before_a_call(Cause cause) throws InterruptedException {
    int number = 0;
    boolean overtaken = true;
    while (overtaken) {
      number++;
      var coupon = aCoupon().withTotal(30).build();
      var world = halfWay(coupon);
      cause.happenTo(world);
      var atCall =
          new AtCall(
              number,
              (call, _) -> {
                recoverElsewhere(world);
                assertThat(world.claim(coupon, "late-comer"))
                    .isInstanceOf(ClaimAnswer.Accepted.class);
                return made(call);
              });
      try {
        var _ = world.recoverStock(new Interposed(atCall)).openOrRecover(World.PARTITION, null);
      } catch (StockFencedException e) {
        assertThat(atCall.happened()).isTrue();
      }
      overtaken = atCall.happened();

      world.lookAtTheFence();
      assertEverybodyIsServed(world, cause, number);
      assertThat(world.row(coupon, "late-comer").isPresent()).isEqualTo(overtaken);
    }
    assertThat(number).as("calls of a recovery").isGreaterThan(CALLS_MIN);
  }

  /** After one more failover, by an instance to which the right to recover was given. */
  private static void recoverElsewhere(World world) {
    world.stock.restart();
    try {
      var recovered =
          world.recoverStock(Interposed.withoutRights()).openOrRecover(World.PARTITION, null);
      assertThat(recovered).isInstanceOf(Recovery.Open.class);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  /** Three claims have rows, three are in the queue, and three in the log alone. */
  private static World halfWay(Coupon coupon) {
    var world = World.with(coupon);
    claim(world, coupon, 1, 3);
    world.relayAndRecord();
    claim(world, coupon, 4, 6);
    world.relay.relayNew();
    claim(world, coupon, 7, CLAIMED);
    return world;
  }

  private static void claim(World world, Coupon coupon, int from, int to) {
    for (int i = from; i <= to; i++) {
      assertThat(world.claim(coupon, "user-" + i)).isInstanceOf(ClaimAnswer.Accepted.class);
    }
  }

  private static void assertEverybodyIsServed(World world, Cause cause, int number) {
    var coupon = world.database.coupons().inPartition(World.PARTITION).getFirst();
    bringToRest(world);
    assertThat(world.proof(coupon).exact()).as("call %d: %s", number, world.proof(coupon)).isTrue();
    var users = new HashSet<UserId>();
    var rows = world.database.ports().holders(coupon.id());
    rows.forEach(row -> users.add(row.userId()));
    assertThat(users).as("users with a row, call %d", number).hasSameSizeAs(rows);
    for (int i = 1; i <= cause.known; i++) {
      assertThat(users).as("call %d", number).contains(new UserId("user-" + i));
    }
    for (int i = 1; i <= cause.slotsKept; i++) {
      assertThat(world.row(coupon, "user-" + i).orElseThrow().slot().number()).isEqualTo(i);
    }
    assertThat(world.claim(coupon, "next")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private static void bringToRest(World world) {
    do {
      world.relayAndRecord();
      world.relay.relayStale();
      world.settleAll();
    } while (world.logDepth() > 0 || world.broker.waiting() > 0);
  }

  /** With the process goes the session that holds the right to recover, if that was just given. */
  private static void endSession(Object result) {
    if (result instanceof Optional<?> given
        && given.orElse(null) instanceof PartitionEpochs.RecoveryRight right) {
      right.close();
    }
  }

  private static Object made(Callable<Object> call) {
    try {
      return call.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a port threw a checked exception", e);
    }
  }
}
