package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.FirstcomeUp;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each process of {@code ./firstcome up} is killed (SIGKILL) at a random moment of a burst, and the
 * coupon is exact after {@code ./firstcome restart}. The moment is derived from a seed, which is
 * printed; {@code -Dfirstcome.kill.seed} repeats it.
 */
@Tag("faults")
class LauncherKillIT {

  private static final int USERS = 50_000;
  private static final int TOTAL = 30_000;

  /** At most so many users have their final answer at the kill: some must still be claiming. */
  private static final int SETTLED_MAX = 49_000;

  private static final long SEED = Long.getLong("firstcome.kill.seed", System.nanoTime());

  /** Started on first use. */
  private static final class Own {
    static final FirstcomeUp UP = FirstcomeUp.in("launcher");
  }

  private final FirstcomeUp up = Own.UP;

  @AfterAll
  static void end() {
    Own.UP.close();
  }

  @Test
  void redis_is_killed_and_restarted() {
    partDiesAndIsRestarted("redis");
  }

  @Test
  void the_broker_is_killed_and_restarted() {
    partDiesAndIsRestarted("amqp");
  }

  @Test
  void postgres_is_killed_and_restarted() {
    partDiesAndIsRestarted("postgres");
  }

  @Test
  void the_service_is_killed_and_restarted() {
    partDiesAndIsRestarted("service");
  }

  private void partDiesAndIsRestarted(String part) {
    diesInABurst(part, _ -> up.process(part), () -> up.restart(part));
  }

  /** PostgreSQL then ends all sessions and recovers automatically. */
  @Test
  void one_process_of_postgres_is_killed() {
    diesInABurst("a process of postgres", this::anyChildOfPostgres, () -> {});
  }

  private ProcessHandle anyChildOfPostgres(Random random) {
    var children = up.process("postgres").children().toList();
    return children.get(random.nextInt(children.size()));
  }

  /** All processes that the launcher has started end with it. */
  @Test
  void the_launcher_is_killed_and_started_again() {
    diesInABurst("the launcher", _ -> up.launcher(), up::startAgain);
  }

  private void diesInABurst(String name, Function<Random, ProcessHandle> process, Runnable repair) {
    var random = new Random(SEED + name.hashCode());
    int settled = random.nextInt(SETTLED_MAX);
    System.out.printf("kill: %s after %d answers (seed %d)%n", name, settled, SEED);
    var coupon = up.define(aCoupon().withTotal(TOTAL));
    var crowd = up.crowd(coupon, Users.some(USERS)).awaitMidBurst(settled);

    long nanos = System.nanoTime();
    FirstcomeUp.kill(process.apply(random));
    repair.run();
    crowd.join();
    // Claims are answered without the database, so it may not be up yet.
    Await.until(World.REST_LIMIT, "a database that can be read", this::canReadTheDatabase);

    assertThat(inFlight(coupon, nanos)).as("requests in flight at the fault").isPositive();
    assertThat(assertExact(up, coupon).liveRows()).isEqualTo(TOTAL);
  }

  private boolean canReadTheDatabase() {
    try (var connection = up.postgres().connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Requests that had begun and had no answer at that moment. */
  private long inFlight(String coupon, long nanos) {
    return up.record().claimsOf(coupon).stream()
        .filter(claim -> claim.beginNanos() < nanos && claim.endNanos() > nanos)
        .count();
  }
}
