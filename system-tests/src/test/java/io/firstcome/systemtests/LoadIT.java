package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponFixtures.aCoupon;
import static java.util.Collections.nCopies;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.Ports;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Crowd;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nothing breaks, but very many come at once. */
@ExtendWith(QuietLogs.class)
class LoadIT {

  private static final int TIMES_TOO_MANY = 5;

  /** Several times the backlog that servers have unless they are told otherwise. */
  private static final int CONNECTIONS_AT_ONCE = 500;

  private static final int CONNECT_MILLIS = 2_000;

  /** With it the connections that there are ask for several times of what Redis then takes. */
  private static final Duration SLOW = Duration.ofMillis(700);

  private static final Duration RECONNECTED = Duration.ofSeconds(2);

  @Scenario(number = "1", fault = "one user claims 200 times at once", guards = "claim-ledger")
  void two_hundred_claims_of_one_user_at_once_give_one_slot(Fault fault) {
    var world = World.get();
    var coupon = world.define(aCoupon().withTotal(100));

    var crowd = world.crowd(coupon, nCopies(200, Users.one()));
    fault.isTheCrowd(crowd);
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).rows()).hasSize(1);
    var byStatus =
        world.record().claimsOf(coupon).stream().collect(groupingBy(RecordedClaim::status));
    assertThat(byStatus.keySet()).containsExactlyInAnyOrder(200, 202);
    assertThat(byStatus.getOrDefault(202, List.of())).hasSize(1);
    assertThat(byStatus.getOrDefault(200, List.of())).hasSize(199);
  }

  /** With less room for them, some of those who connect would be left to try again. */
  @Test
  void connections_that_come_at_once_wait_in_line_until_the_service_takes_them()
      throws IOException {
    var service = World.get().service();
    var address = new InetSocketAddress(Ports.loopback(), service.port());
    List<Socket> waiting = new ArrayList<>();
    service.pause();
    try {
      for (int i = 0; i < CONNECTIONS_AT_ONCE; i++) {
        var socket = new Socket();
        waiting.add(socket);
        socket.connect(address, CONNECT_MILLIS);
      }
    } finally {
      service.resume();
      for (var socket : waiting) {
        socket.close();
      }
    }
    assertThat(waiting).allMatch(Socket::isConnected);
  }

  @Tag("faults")
  @Scenario(number = "2", fault = "50,000 users claim 1,000 pieces", guards = "claim-total")
  void fifty_thousand_users_get_exactly_a_thousand_pieces_in_order(Fault fault) {
    var world = World.get();
    var coupon = world.define(aCoupon().withTotal(1_000));

    var crowd = world.crowd(coupon, Users.some(50_000));
    fault.isTheCrowd(crowd);
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(1_000);
    assertThat(world.record().claimsOf(coupon).stream().filter(RecordedClaim::isSoldOut))
        .hasSize(49_000);
  }

  /** One that has not answered for too long was ended, and is made anew within a moment. */
  private static void awaitConnection(World world) {
    var other = world.define(aCoupon().withTotal(1));
    Await.until(
        RECONNECTED,
        "a claim of another coupon that is taken",
        () -> world.send(Call.claim(other).as("early")).status() < 300);
  }

  /** Redis answers late meanwhile, so that far more claims come than can be made. */
  @Tag("faults")
  @Scenario(
      number = "32",
      fault = "five crowds at once on a Redis that has become slow, then one on a normal one",
      guards = "claim-place-back")
  void after_an_overload_claims_are_taken_as_before(Fault fault) {
    var world = World.behindProxies();
    var coupon = world.define(aCoupon().withTotal(100_000));
    var crowds =
        Stream.generate(() -> world.crowdAskingOnce(coupon, Users.some(1_000)))
            .limit(TIMES_TOO_MANY)
            .toList();

    fault.strike(crowds.getFirst(), () -> world.links().redis().delay(SLOW));
    crowds.forEach(Crowd::awaitEnd);
    fault.mend(world.links().redis()::heal);
    awaitConnection(world);
    long calm = System.nanoTime();
    world.crowd(coupon, Users.some(4_000)).join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isGreaterThan(4_000);
    var claims = world.record().claimsOf(coupon);
    assertThat(claims)
        .as("claims that were too many")
        .anySatisfy(claim -> assertThat(claim.status()).isEqualTo(503));
    assertThat(claims.stream().filter(claim -> claim.beginNanos() > calm))
        .as("claims afterwards")
        .allSatisfy(claim -> assertThat(claim.status()).isLessThan(500).isPositive());
  }
}
