package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExactInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Claimant;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.RecordedClaim;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One instance cannot reach the broker; the other one publishes and records for both. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class InstanceWithoutBrokerIT {

  /**
   * The service's maximum. The sweep publishes the entries of another instance after ten seconds.
   */
  private static final int WAIT_SECONDS = 30;

  private static final int USERS = 40;
  private static final long APART_MILLIS = 25;

  private final World world = World.get();

  @Test
  void waiting_callers_get_rows_that_the_other_instance_recorded() {
    var noBroker = Map.of("SPRING_RABBITMQ_PORT", Integer.toString(Ports.free()));
    var coupon = world.define(aCoupon());
    List<RecordedClaim> answers;
    try (ServiceProcess second = World.ready(world.start("without-broker", noBroker))) {
      answers = claimsInARow(second, coupon);
    }
    assertExactInOrder(world, coupon);
    assertThat(answers).extracting(RecordedClaim::status).containsOnly(201);
  }

  /**
   * Sends the claims a little apart, so that they become many log entries and each instance reads
   * some.
   */
  private List<RecordedClaim> claimsInARow(ServiceProcess instance, String coupon) {
    var users = Users.some(USERS);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var claims =
          IntStream.range(0, USERS)
              .mapToObj(i ->
                  CompletableFuture.supplyAsync(
                      () -> claim(instance, coupon, users.get(i)),
                      CompletableFuture.delayedExecutor(
                          i * APART_MILLIS, TimeUnit.MILLISECONDS, threads)))
              .toList();
      return claims.stream().map(CompletableFuture::join).toList();
    }
  }

  private RecordedClaim claim(ServiceProcess instance, String coupon, String user) {
    try (Claimant claimant = new Claimant(instance.port(), world.record())) {
      return claimant.claim(coupon, user, WAIT_SECONDS).orElseThrow();
    }
  }
}
