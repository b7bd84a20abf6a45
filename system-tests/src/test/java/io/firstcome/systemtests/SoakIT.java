package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.QueuedClaimMessages;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.SeparateHost;
import io.firstcome.systemtests.kit.TcpProxy;
import io.firstcome.systemtests.kit.TcpProxy.Way;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random faults one after the other, each during a burst, for a long time. The faults and their
 * moments are derived from a seed, which is printed; {@code -Dfirstcome.soak.seed} repeats them.
 */
@Tag("soak")
@ExtendWith(QuietLogs.class)
class SoakIT {

  private static final Duration LENGTH =
      Duration.ofMinutes(Long.getLong("firstcome.soak.minutes", 20));

  private static final int TOTAL = 3_000;
  private static final int USERS_MAX = 6_000;
  private static final Duration FAULT_MAX = Duration.ofSeconds(6);

  /** A world of its own, as no other test can run on these servers. */
  private final World world = World.ofItsOwn("soak");

  private final SeparateHost host = SeparateHost.of(world);

  /** A second instance, on a host of its own. */
  private final ServiceProcess far = World.ready(world.startAt(host, "far"));

  private final TcpProxy linkToFar = TcpProxy.to(host.address(), far.port());

  /** A fault; {@link World#mend} repairs the servers afterwards. */
  private record NamedFault(String name, Runnable strike) {}

  @AfterEach
  void end() {
    linkToFar.close();
    far.close();
    host.close();
    world.close();
  }

  @Test
  void all_coupons_are_exact_after_random_faults() {
    long seed = Long.getLong("firstcome.soak.seed", System.nanoTime());
    System.out.printf("soak: seed %d, %s%n", seed, LENGTH);
    var random = new Random(seed);
    var faults = faults();
    List<String> coupons = new ArrayList<>();
    long end = System.nanoTime() + LENGTH.toNanos();
    while (System.nanoTime() < end) {
      coupons.add(round(coupons.size() + 1, faults.get(random.nextInt(faults.size())), random));
    }
    coupons.forEach(coupon -> assertExact(world, coupon));
    System.out.printf("soak: %d rounds, all exact%n", coupons.size());
  }

  /** Draws the same count of random numbers for every fault, so that a seed repeats the run. */
  private String round(int number, NamedFault fault, Random random) {
    int users = 1 + random.nextInt(USERS_MAX);
    int settled = random.nextInt(users);
    var lasting = Duration.ofMillis(random.nextLong(FAULT_MAX.toMillis()));
    System.out.printf(
        "soak: round %d: %s for %s after %d of %d users%n",
        number, fault.name(), lasting, settled, users);
    var coupon = world.define(aCoupon().withTotal(TOTAL));
    var ports = List.of(world.servicePort(), linkToFar.port());
    var crowd = world.crowdAt(coupon, Users.some(users), ports).awaitMidBurst(settled);
    fault.strike().run();
    Await.pause(lasting);
    host.reconnect();
    far.resume();
    world.mend();
    World.ready(far);
    crowd.join();
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(Math.min(users, TOTAL));
    return coupon;
  }

  private List<NamedFault> faults() {
    var links = world.links();
    return List.of(
        new NamedFault("Redis killed", world.redis()::kill),
        new NamedFault("Redis frozen", world.redis()::pause),
        new NamedFault("RabbitMQ killed", world.amqp()::kill),
        new NamedFault("RabbitMQ frozen", world.amqp()::pause),
        new NamedFault("PostgreSQL killed", world.postgres()::kill),
        new NamedFault("PostgreSQL frozen", world.postgres()::pause),
        new NamedFault("the service killed", world.service()::kill),
        new NamedFault("the service frozen", world.service()::pause),
        new NamedFault(
            "the service and Redis killed",
            () -> {
              world.service().kill();
              world.redis().kill();
            }),
        new NamedFault("one of two instances frozen", far::pause),
        new NamedFault("the host of one of two instances cut off", host::cutOff),
        new NamedFault(
            "the scripts of Redis flushed", () -> world.redis().command("SCRIPT", "FLUSH")),
        new NamedFault("the queue of claims deleted", this::deleteQueue),
        cut("Redis", links.redis()),
        cut("RabbitMQ", links.amqp()),
        cut("PostgreSQL", links.postgres()),
        refused("Redis", links.redis()),
        refused("RabbitMQ", links.amqp()),
        refused("PostgreSQL", links.postgres()),
        unanswered("Redis", links.redis()),
        unanswered("RabbitMQ", links.amqp()),
        unanswered("PostgreSQL", links.postgres()));
  }

  private static NamedFault cut(String server, TcpProxy link) {
    return new NamedFault(server + " cut off", link::cut);
  }

  private static NamedFault refused(String server, TcpProxy link) {
    return new NamedFault(server + " unreachable", link::refuse);
  }

  private static NamedFault unanswered(String server, TcpProxy link) {
    return new NamedFault("replies of " + server + " lost", () -> link.swallow(Way.REPLIES));
  }

  private void deleteQueue() {
    try (var messages = QueuedClaimMessages.at(world.amqp())) {
      messages.deleteQueue();
    }
  }
}
