package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Rooms;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.WaitingCrowd;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Faults while users wait in the room of a coupon, are admitted and claim. */
@Tag("faults")
@ExtendWith(QuietLogs.class)
class WaitingRoomFaultIT {

  private static final int USERS = 600;
  private static final int QUANTITY = 400;
  private static final int RATE = 100;
  private static final Duration ARRIVALS = Duration.ofSeconds(4);
  private static final Duration READINGS_ARE_OLD = Duration.ofSeconds(4);

  private final World world = World.get();
  private final List<String> defined = new ArrayList<>();

  @AfterEach
  void endRooms() {
    Rooms.end(world, defined);
  }

  private String defineRoom() {
    return defineRoom("ADMIT");
  }

  private String defineRoom(String mode) {
    var room = "{\"mode\":\"%s\",\"admissionsPerSecond\":%d}".formatted(mode, RATE);
    var coupon = Rooms.define(world, aCoupon().withTotal(QUANTITY).with("waitingRoom", room));
    defined.add(coupon);
    return coupon;
  }

  @Scenario(
      number = "51a",
      fault = "Redis killed (SIGKILL) while users join a waiting room, wait and claim",
      guards = "recover-other-run")
  void a_killed_redis_loses_no_place(Fault fault) {
    var coupon = defineRoom();
    var crowd =
        WaitingCrowd.start(world, coupon, Users.some(USERS), ARRIVALS, world.servicePort())
            .awaitJoined(USERS / 2);

    fault.strike(crowd, world.redis()::kill);
    fault.mend(world.redis()::restart);
    crowd.join();

    assertThat(crowd.violations()).isEmpty();
    var stored = fault.exact(world, coupon);
    assertThat(stored.liveRows()).isEqualTo(QUANTITY);
    var owners = stored.rows().stream().map(StoredCoupon.Row::user).collect(toSet());
    assertThat(crowd.userByNumber())
        .hasSizeGreaterThan(QUANTITY)
        .allSatisfy((number, user) -> {
          if (!owners.contains(user)) {
            var again = world.send(Call.of("POST", Rooms.path(coupon)).as(user));
            assertThat(again.json().path("number").asInt()).isEqualTo(number);
          }
        });
  }

  @Scenario(
      number = "51b",
      fault =
          "Redis emptied (FLUSHALL) while users join a waiting room and PostgreSQL hangs (SIGSTOP),"
              + " which is then continued",
      guards = "room-opened-above")
  void no_number_is_given_twice_after_redis_was_emptied(Fault fault) {
    var coupon = defineRoom();
    Rooms.pace(world, coupon, "{\"paused\":true}");
    // So no ticket is noted in the database.
    world.postgres().pause();
    var crowd =
        WaitingCrowd.start(world, coupon, Users.some(USERS), ARRIVALS, world.servicePort())
            .awaitJoined(USERS / 2);

    fault.strike(crowd, () -> world.redis().command("FLUSHALL"));
    // No instance notes what it has read before.
    Await.pause(READINGS_ARE_OLD);
    fault.mend(world.postgres()::resume);
    crowd.awaitJoined(USERS);
    Rooms.pace(world, coupon, "{\"paused\":false}");
    crowd.join();

    assertThat(crowd.violations()).isEmpty();
    assertThat(fault.exact(world, coupon).liveRows()).isEqualTo(QUANTITY);
  }

  @Scenario(
      number = "51c",
      fault = "Redis killed (SIGKILL) while users join a waiting room that claims for them",
      guards = "room-claims-continue")
  void a_room_that_claims_continues_in_order_after_redis_was_killed(Fault fault) {
    var coupon = defineRoom("CLAIM");
    var crowd =
        WaitingCrowd.start(world, coupon, Users.some(USERS), ARRIVALS, world.servicePort())
            .awaitJoined(USERS / 2);

    fault.strike(crowd, world.redis()::kill);
    fault.mend(world.redis()::restart);
    crowd.join();

    assertThat(crowd.violations()).isEmpty();
    assertInOrder(fault.exact(world, coupon), crowd);
  }

  /**
   * Each slot belongs to the user with the next number, whether or not the user was connected. Not
   * known are the numbers of those who lost the reply to their join.
   */
  private static void assertInOrder(StoredCoupon stored, WaitingCrowd crowd) {
    assertThat(stored.liveRows()).isEqualTo(QUANTITY);
    Map<String, Integer> numbers = new HashMap<>();
    crowd.userByNumber().forEach((number, user) -> numbers.put(user, number));
    assertThat(
            stored.rows().stream()
                .filter(row -> !crowd.withoutNumber().contains(row.user()))
                .sorted(Comparator.comparingInt(StoredCoupon.Row::slot))
                .map(row -> numbers.get(row.user())))
        .as("numbers of the users in the order of their slots")
        .hasSizeGreaterThan(QUANTITY / 2)
        .isSorted();
  }

  @Test
  void a_killed_instance_loses_no_place() {
    var coupon = defineRoom("ADMIT");

    var crowd = whileAnInstanceIsKilled(coupon);

    assertThat(crowd.violations()).isEmpty();
    assertThat(assertExact(world, coupon).liveRows()).isEqualTo(QUANTITY);
  }

  @Test
  void a_killed_instance_does_not_change_the_order_in_which_a_room_claims() {
    var coupon = defineRoom("CLAIM");

    var crowd = whileAnInstanceIsKilled(coupon);

    assertThat(crowd.violations()).isEmpty();
    assertInOrder(assertExact(world, coupon), crowd);
  }

  private WaitingCrowd whileAnInstanceIsKilled(String coupon) {
    var other = World.ready(world.start("second", Map.of()));
    try {
      var crowd =
          WaitingCrowd.start(
                  world, coupon, Users.some(USERS), ARRIVALS, other.port(), world.servicePort())
              .awaitJoined(USERS / 2);
      other.kill();
      crowd.join();
      return crowd;
    } finally {
      other.kill();
    }
  }
}
