package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.ClaimMessages;
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
 * One random fault after the other, each in the midst of a burst, for a long time. What they are
 * and when they strike follows from a seed, which is printed; {@code -Dfirstcome.soak.seed} plays
 * the same again.
 */
@Tag("soak")
@ExtendWith(QuietLogs.class)
class SoakIT {

  private static final Duration LENGTH =
      Duration.ofMinutes(Long.getLong("firstcome.soak.minutes", 20));

  private static final int TOTAL = 3_000;
  private static final int USERS_MAX = 6_000;
  private static final Duration FAULT_MAX = Duration.ofSeconds(6);

  /** Nobody else may depend on servers that are treated like this. */
  private final World world = World.ofItsOwn("soak");

  private final SeparateHost host = SeparateHost.of(world);

  /** A second instance, on a host of its own. */
  private final ServiceProcess far = World.ready(world.startAt(host, "far"));

  private final TcpProxy wayToFar = TcpProxy.to(host.address(), far.port());

  /** What is done to the servers; whatever it leaves behind the world mends. */
  private record Harm(String name, Runnable blow) {}

  @AfterEach
  void end() {
    wayToFar.close();
    far.close();
    host.close();
    world.close();
  }

  @Test
  void whatever_happens_all_coupons_are_exact() {
    long seed = Long.getLong("firstcome.soak.seed", System.nanoTime());
    System.out.printf("soak: seed %d, %s%n", seed, LENGTH);
    var random = new Random(seed);
    var harms = harms();
    List<String> coupons = new ArrayList<>();
    long end = System.nanoTime() + LENGTH.toNanos();
    while (System.nanoTime() < end) {
      coupons.add(round(coupons.size() + 1, harms.get(random.nextInt(harms.size())), random));
    }
    coupons.forEach(coupon -> assertExact(world, coupon));
    System.out.printf("soak: %d rounds, all exact%n", coupons.size());
  }

  /** Draws as many numbers from the random source whatever happens. */
  private String round(int number, Harm harm, Random random) {
    int users = 1 + random.nextInt(USERS_MAX);
    int settled = random.nextInt(users);
    var lasting = Duration.ofMillis(random.nextLong(FAULT_MAX.toMillis()));
    System.out.printf(
        "soak: round %d: %s for %s after %d of %d users%n",
        number, harm.name(), lasting, settled, users);
    var coupon = world.define(aCoupon().withTotal(TOTAL));
    var ports = List.of(world.servicePort(), wayToFar.port());
    var crowd = world.crowdAt(coupon, Users.some(users), ports).awaitMidBurst(settled);
    harm.blow().run();
    Await.pause(lasting);
    host.reconnect();
    far.resume();
    world.mend();
    World.ready(far);
    crowd.join();
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(Math.min(users, TOTAL));
    return coupon;
  }

  private List<Harm> harms() {
    var links = world.links();
    return List.of(
        new Harm("Redis killed", world.redis()::kill),
        new Harm("Redis asleep", world.redis()::pause),
        new Harm("RabbitMQ killed", world.amqp()::kill),
        new Harm("RabbitMQ asleep", world.amqp()::pause),
        new Harm("PostgreSQL killed", world.postgres()::kill),
        new Harm("PostgreSQL asleep", world.postgres()::pause),
        new Harm("the service killed", world.service()::kill),
        new Harm("the service asleep", world.service()::pause),
        new Harm(
            "the service and Redis killed",
            () -> {
              world.service().kill();
              world.redis().kill();
            }),
        new Harm("one of two instances asleep", far::pause),
        new Harm("the host of one of two instances cut off", host::cutOff),
        new Harm("the scripts of Redis forgotten", () -> world.redis().command("SCRIPT", "FLUSH")),
        new Harm("the queue of claims deleted", this::deleteQueue),
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

  private static Harm cut(String server, TcpProxy link) {
    return new Harm(server + " cut off", link::cut);
  }

  private static Harm refused(String server, TcpProxy link) {
    return new Harm(server + " out of reach", link::refuse);
  }

  private static Harm unanswered(String server, TcpProxy link) {
    return new Harm("replies of " + server + " lost", () -> link.swallow(Way.REPLIES));
  }

  private void deleteQueue() {
    try (var messages = ClaimMessages.at(world.amqp())) {
      messages.deleteQueue();
    }
  }
}
