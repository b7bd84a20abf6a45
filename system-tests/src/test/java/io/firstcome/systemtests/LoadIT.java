package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.util.Collections.nCopies;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
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
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Very many concurrent requests and connections. */
@ExtendWith(QuietLogs.class)
class LoadIT {

  private static final int CROWDS = 5;

  /** Several times the default backlog of a server socket. */
  private static final int CONNECTIONS_AT_ONCE = 500;

  private static final int CONNECT_MILLIS = 2_000;

  /** With this delay the crowds send several times the claims that Redis can process. */
  private static final Duration SLOW = Duration.ofMillis(700);

  /** Otherwise most claims would be refused before they wait for Redis. */
  private static final Map<String, String> ALL_AT_A_TIME =
      Map.of("FIRSTCOME_LIMITS_LOAD_LEASTCLAIMS", "5000");

  private static final Duration RECONNECTED = Duration.ofSeconds(2);

  @Scenario(number = "1", fault = "200 concurrent claims of one user", guards = "claim-ledger")
  void two_hundred_concurrent_claims_of_one_user_allocate_one_slot(Fault fault) {
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

  /** With a shorter backlog, some clients would have to retry their connect. */
  @Test
  void concurrent_connections_wait_in_the_backlog_until_the_service_accepts_them()
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
  @Scenario(
      number = "2",
      fault = "50,000 users claim a coupon of 1,000 slots",
      guards = "claim-total")
  void fifty_thousand_users_get_exactly_a_thousand_slots_in_order(Fault fault) {
    var world = World.get();
    var coupon = world.define(aCoupon().withTotal(1_000));

    var crowd = world.crowd(coupon, Users.some(50_000));
    fault.isTheCrowd(crowd);
    crowd.join();

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(1_000);
    assertThat(world.record().claimsOf(coupon).stream().filter(RecordedClaim::isSoldOut))
        .hasSize(49_000);
  }

  /** The service closes a connection that was silent for too long, and reconnects shortly after. */
  private static void awaitConnection(World world, ServiceProcess service) {
    var other = world.define(aCoupon().withTotal(1));
    Await.until(
        RECONNECTED,
        "a claim of another coupon is accepted",
        () -> World.send(service, Call.claim(other).as("early")).status() < 300);
  }

  /** Redis replies slowly meanwhile, so that far more claims arrive than it can process. */
  @Tag("faults")
  @Scenario(
      number = "32",
      fault = "five concurrent bursts while Redis is slow, then one burst while it is not",
      guards = "claim-place-back")
  void after_an_overload_claims_are_accepted_as_before(Fault fault) {
    var world = World.behindProxies();
    var coupon = world.define(aCoupon().withTotal(100_000));
    long overloadEnd;
    try (var service = World.ready(world.start("overloaded", ALL_AT_A_TIME))) {
      var crowds =
          Stream.generate(() -> world.crowdWithoutRetries(coupon, Users.some(1_000), service))
              .limit(CROWDS)
              .toList();

      fault.strike(crowds.getFirst(), () -> world.links().redis().delay(SLOW));
      crowds.forEach(Crowd::awaitEnd);
      fault.mend(world.links().redis()::heal);
      awaitConnection(world, service);
      overloadEnd = System.nanoTime();
      world.crowd(coupon, Users.some(4_000), service).join();
    }

    assertThat(fault.exactInOrder(world, coupon).liveRows()).isGreaterThan(4_000);
    var claims = world.record().claimsOf(coupon);
    assertThat(claims)
        .as("claims refused because of the overload")
        .anySatisfy(claim -> assertThat(claim.status()).isEqualTo(503));
    assertThat(claims.stream().filter(claim -> claim.beginNanos() > overloadEnd))
        .as("claims after the overload")
        .allSatisfy(claim -> assertThat(claim.status()).isLessThan(500).isPositive());
  }
}
