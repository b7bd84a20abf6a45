package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.DrawScript;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Rooms;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.WaitingCrowd;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A sale: 20,000 users join a waiting room before the coupon opens and 5,000 later, 3,000 slots,
 * and one of two instances is killed while the room serves. In each mode and order the result is
 * exact, in the order of the room, and every user is told.
 */
@Tag("faults")
@Timeout(300)
@ExtendWith(QuietLogs.class)
class WaitingRoomCrowdIT {

  private static final int EARLY = 20_000;
  private static final int LATE = 5_000;
  private static final int QUANTITY = 3_000;
  private static final int RATE = 400;
  private static final int KILLED_AFTER = 1_000;
  private static final Duration UNTIL_OPENING = Duration.ofSeconds(20);
  private static final Duration ARRIVALS = Duration.ofSeconds(15);
  private static final Duration LATE_ARRIVALS = Duration.ofSeconds(3);
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final World world = World.get();

  /** What a sale has left behind. */
  private record Sale(
      StoredCoupon stored,
      String commitment,
      Map<Integer, String> userByNumber,
      Map<String, Integer> placeByUser,
      String document) {}

  private Sale sell(String mode, String order) {
    var other = World.ready(world.start("second", Map.of()));
    try {
      return sell(mode, order, other);
    } finally {
      other.kill();
    }
  }

  private Sale sell(String mode, String order, ServiceProcess other) {
    var opensAt = Instant.now().plus(UNTIL_OPENING).truncatedTo(ChronoUnit.MILLIS);
    var coupon =
        Rooms.define(
            world,
            aCoupon()
                .withTotal(QUANTITY)
                .with("opensAt", "\"" + opensAt + "\"")
                .with(
                    "waitingRoom",
                    "{\"mode\":\"%s\",\"order\":\"%s\",\"admissionsPerSecond\":%d}"
                        .formatted(mode, order, RATE)));
    // So that all early users have joined when the room begins to serve, however long that takes.
    Rooms.pause(world, coupon);
    var commitment = Rooms.document(world, coupon).path("draw").path("commitment").asString("");
    var users = Users.some(EARLY + LATE);
    try {
      var early = crowd(coupon, users.subList(0, EARLY), ARRIVALS, other.port());
      early.awaitJoined(EARLY);
      Await.until(LIMIT, "the opening", () -> Instant.now().isAfter(opensAt));
      Rooms.resume(world, coupon);
      var late = crowd(coupon, users.subList(EARLY, users.size()), LATE_ARRIVALS, other.port());

      Await.until(
          LIMIT,
          "issued slots",
          () -> Rooms.document(world, coupon).path("issued").asInt() >= KILLED_AFTER);
      other.kill();
      early.join();
      late.join();

      assertThat(early.violations()).isEmpty();
      assertThat(late.violations()).isEmpty();
      var userByNumber = new HashMap<>(early.userByNumber());
      late.userByNumber()
          .forEach((number, user) ->
              assertThat(userByNumber.put(number, user)).as("number " + number).isNull());
      var placeByUser = new HashMap<>(early.placeByUser());
      placeByUser.putAll(late.placeByUser());
      return new Sale(
          assertExact(world, coupon),
          commitment,
          userByNumber,
          placeByUser,
          world.send(Call.get(Rooms.path(coupon))).body());
    } finally {
      Rooms.end(world, List.of(coupon));
    }
  }

  private WaitingCrowd crowd(String coupon, List<String> users, Duration within, int otherPort) {
    return WaitingCrowd.start(world, coupon, users, within, otherPort, world.servicePort());
  }

  /** The places of the users who have the coupon, in the order of their slots. */
  private static List<Integer> places(Sale sale) {
    assertThat(sale.stored().liveRows()).isEqualTo(QUANTITY);
    return sale.stored().rows().stream()
        .sorted(Comparator.comparingInt(StoredCoupon.Row::slot))
        .map(row -> sale.placeByUser().getOrDefault(row.user(), 0))
        .toList();
  }

  private static void assertClaimedInOrder(Sale sale) {
    assertThat(places(sale))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, QUANTITY).boxed().toList());
  }

  /** Users who are admitted claim when they like, so slots are not in the order of places. */
  private static void assertOnlyServedUsersHaveClaimed(Sale sale) {
    var served = CouponRequests.read(sale.document());
    assertThat(places(sale))
        .doesNotHaveDuplicates()
        .allSatisfy(place -> assertThat(place).isBetween(1, served.path("serving").asInt()));
  }

  private static void assertPlacesAreNumbers(Sale sale) {
    sale.userByNumber()
        .forEach((number, user) ->
            assertThat(sale.placeByUser().getOrDefault(user, number)).isEqualTo(number));
  }

  /**
   * By the published script: some of those who take part in the draw. The order is drawn just after
   * the opening, so the first of the late users can take part; the others stand behind.
   */
  private static void assertPlacesAreDrawn(Sale sale) {
    int drawn = CouponRequests.read(sale.document()).path("draw").path("tickets").asInt();
    assertThat(drawn).isBetween(EARLY, EARLY + LATE - 1);
    var placeByNumber = new HashMap<Integer, Integer>();
    sale.userByNumber()
        .forEach((number, user) -> {
          var place = sale.placeByUser().get(user);
          if (place != null) {
            placeByNumber.put(number, place);
          }
        });
    assertThat(placeByNumber).hasSizeGreaterThan(QUANTITY);
    for (int number = 1; number <= drawn; number += EARLY / 20) {
      if (placeByNumber.containsKey(number)) {
        assertThat(placeByNumber.get(number))
            .isEqualTo(DrawScript.place(sale.commitment(), sale.document(), number));
      }
    }
    assertThat(placeByNumber.entrySet())
        .filteredOn(entry -> entry.getKey() > drawn)
        .allSatisfy(entry -> assertThat(entry.getValue()).isEqualTo(entry.getKey()));
  }

  @Test
  void a_room_that_admits_in_the_order_of_arrival() {
    var sale = sell("ADMIT", "ARRIVAL");
    assertOnlyServedUsersHaveClaimed(sale);
    assertPlacesAreNumbers(sale);
  }

  @Test
  void a_room_that_admits_in_a_drawn_order() {
    var sale = sell("ADMIT", "DRAW");
    assertOnlyServedUsersHaveClaimed(sale);
    assertPlacesAreDrawn(sale);
  }

  @Test
  void a_room_that_claims_in_the_order_of_arrival() {
    var sale = sell("CLAIM", "ARRIVAL");
    assertClaimedInOrder(sale);
    assertPlacesAreNumbers(sale);
  }

  @Test
  void a_room_that_claims_in_a_drawn_order() {
    var sale = sell("CLAIM", "DRAW");
    assertClaimedInOrder(sale);
    assertPlacesAreDrawn(sale);
  }
}
