package io.firstcome.application.waitingroom;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.waitingroom.ReadRoom.Phase;
import io.firstcome.application.waitingroom.ReadRoom.Proof;
import io.firstcome.application.waitingroom.ReadRoom.Standing;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.waitingroom.Draw;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Users of a waiting room whose order is drawn at the opening. */
class DrawnRoomTest {

  private static final int USERS = 20;
  private static final int RATE = 10;
  private static final Duration UNTIL_OPENING = Duration.ofMinutes(10);

  private final Coupon coupon = drawn(Instant.now().plus(UNTIL_OPENING));
  private final InMemoryService service = InMemoryService.with(coupon);

  private static Coupon drawn(Instant opensAt) {
    return aCoupon()
        .withTotal(100)
        .opening(opensAt, opensAt.plus(Duration.ofHours(1)))
        .withWaitingRoom(
            new WaitingRoom(
                WaitingRoom.Mode.ADMIT,
                WaitingRoom.Order.DRAW,
                Instant.EPOCH,
                RATE,
                Duration.ofMinutes(5),
                false,
                false))
        .build();
  }

  private void round() {
    service.keepRooms.list();
    for (int i = 0; i < 3; i++) {
      service.advanceRooms.round(coupon.partition());
      service.keepRooms.round(coupon.partition());
    }
    service.advanceRooms.round(coupon.partition());
  }

  private JoinRoom.Answer.Joined join(String user) {
    try {
      return (JoinRoom.Answer.Joined) service.joinRoom.join(coupon.id(), new UserId(user), null);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, JoinRoom.Answer.Joined> joinAll() {
    round();
    Map<String, JoinRoom.Answer.Joined> joined = new LinkedHashMap<>();
    for (int i = 1; i <= USERS; i++) {
      joined.put("user-" + i, join("user-" + i));
    }
    round();
    return joined;
  }

  private Standing standing(String user, JoinRoom.Answer.Joined joined) {
    return service.readRoom.standing(coupon.id(), new UserId(user), joined.text());
  }

  private Proof proof() {
    return requireNonNull(service.readRoom.read(coupon.id()).orElseThrow().proof());
  }

  private void opens() {
    service.timePasses(UNTIL_OPENING);
    round();
  }

  private int place(String user, JoinRoom.Answer.Joined joined) {
    return switch (standing(user, joined)) {
      case Standing.Waiting waiting -> waiting.place();
      case Standing.Admitted admitted -> admitted.place();
      default -> throw new AssertionError(standing(user, joined));
    };
  }

  @Test
  void nobody_has_a_place_before_the_draw() {
    var joined = joinAll();

    assertThat(standing("user-1", requireNonNull(joined.get("user-1"))))
        .isInstanceOfSatisfying(
            Standing.WaitingForDraw.class,
            waiting -> {
              assertThat(waiting.phase()).isEqualTo(Phase.JOINING);
              var estimate = requireNonNull(waiting.estimate());
              assertThat(estimate.atLeast())
                  .isBetween(Duration.ofMinutes(9), UNTIL_OPENING.plusSeconds(1));
              assertThat(estimate.atMost()).isGreaterThan(UNTIL_OPENING);
            });
    assertThat(proof().drawn()).isNull();
  }

  @Test
  void the_places_are_those_that_follow_from_the_seed_that_was_promised() {
    var joined = joinAll();
    var commitment = proof().commitment();

    opens();

    var drawn = requireNonNull(proof().drawn());
    assertThat(drawn.seed().commitment()).isEqualTo(commitment);
    assertThat(drawn.tickets()).isEqualTo(USERS);
    var draw = new Draw(drawn.seed(), USERS);
    Set<Integer> places = new HashSet<>();
    joined.forEach((user, ticket) -> {
      int place = place(user, ticket);
      assertThat(place).isEqualTo(draw.placeOf(ticket.ticket().number()));
      places.add(place);
    });
    assertThat(places)
        .isEqualTo(IntStream.rangeClosed(1, USERS).boxed().collect(Collectors.toSet()));
  }

  @Test
  void who_joins_after_the_draw_stands_behind_those_who_were_drawn() {
    joinAll();
    opens();

    var late = join("late");

    assertThat(place("late", late)).isEqualTo(USERS + 1);
  }

  @Test
  void users_are_served_in_the_order_of_the_draw() {
    var joined = joinAll();
    opens();

    service.timePasses(Duration.ofSeconds(1));
    round();

    joined.forEach((user, ticket) -> {
      var served =
          requireNonNull(service.readRoom.read(coupon.id()).orElseThrow().reading())
              .state()
              .progress()
              .number()
              .served();
      assertThat(served).isBetween(RATE / 2, USERS - 1);
      assertThat(standing(user, ticket))
          .isInstanceOf(
              place(user, ticket) <= served ? Standing.Admitted.class : Standing.Waiting.class);
    });
  }

  @Test
  void the_order_stays_the_same_after_a_loss_of_redis() {
    var joined = joinAll();
    opens();
    var before =
        joined.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> place(e.getKey(), e.getValue())));
    var proof = proof();

    service.stock.wipe();
    service.checkTheFence();
    round();

    assertThat(proof()).isEqualTo(proof);
    joined.forEach((user, ticket) -> assertThat(place(user, ticket)).isEqualTo(before.get(user)));
  }

  @Test
  void nothing_is_drawn_before_the_first_ticket() {
    round();
    opens();
    assertThat(proof().drawn()).isNull();

    var first = join("first");
    round();

    assertThat(requireNonNull(proof().drawn()).tickets()).isEqualTo(1);
    assertThat(place("first", first)).isEqualTo(1);
  }

  @Test
  void nothing_is_drawn_while_the_coupon_is_paused() {
    joinAll();
    service.changeCoupon.change(coupon.id(), Coupon::pause, CouponFixtures.OPERATOR);
    opens();
    assertThat(proof().drawn()).isNull();

    service.changeCoupon.change(coupon.id(), Coupon::resume, CouponFixtures.OPERATOR);
    round();

    assertThat(requireNonNull(proof().drawn()).tickets()).isEqualTo(USERS);
  }

  @Test
  void the_proof_stays_after_the_end() {
    joinAll();
    opens();

    service.timePasses(Duration.ofHours(2));
    service.keepRooms.list();

    assertThat(service.readRoom.read(coupon.id()).orElseThrow().reading()).isNull();
    assertThat(requireNonNull(proof().drawn()).tickets()).isEqualTo(USERS);
  }
}
