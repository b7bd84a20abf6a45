package io.firstcome.application.waitingroom;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.waitingroom.ReadRoom.Standing;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.waitingroom.RoomState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users of a waiting room that claims for them. */
class ClaimingRoomTest {

  private static final int USERS = 40;
  private static final int TOTAL = 30;
  private static final int RATE = 2;
  private static final Duration UNTIL_OPENING = Duration.ofMinutes(10);

  private static Coupon coupon(WaitingRoom.Order order) {
    var opensAt = Instant.now().plus(UNTIL_OPENING);
    return aCoupon()
        .withTotal(TOTAL)
        .opening(opensAt, opensAt.plus(Duration.ofHours(1)))
        .withWaitingRoom(
            new WaitingRoom(
                WaitingRoom.Mode.CLAIM,
                order,
                Instant.EPOCH,
                RATE,
                Duration.ofMinutes(5),
                false,
                false))
        .build();
  }

  /** A room and those who have joined it. */
  private static final class Room {

    private final Coupon coupon;
    private final InMemoryService service;
    private final Map<String, JoinRoom.Answer.Joined> joined = new LinkedHashMap<>();

    Room(WaitingRoom.Order order) {
      coupon = coupon(order);
      service = InMemoryService.with(coupon);
      round();
    }

    void round() {
      service.keepRooms.list();
      for (int i = 0; i < 3; i++) {
        service.advanceRooms.round(coupon.partition());
        service.claimTurns.round(coupon.partition());
        service.keepRooms.round(coupon.partition());
      }
      service.advanceRooms.round(coupon.partition());
    }

    void join(int users) {
      for (int i = 1; i <= users; i++) {
        join("user-" + i);
        // Extends the reserve of tickets.
        round();
      }
    }

    JoinRoom.Answer.Joined join(String user) {
      try {
        var answer =
            (JoinRoom.Answer.Joined) service.joinRoom.join(coupon.id(), new UserId(user), null);
        joined.put(user, answer);
        return answer;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    void opens() {
      service.timePasses(UNTIL_OPENING);
      round();
    }

    /**
     * As if the instance that claims were frozen: users are served, and their turn does not come.
     */
    void opensWithoutClaims() {
      service.timePasses(UNTIL_OPENING);
      service.keepRooms.list();
      for (int i = 0; i < 3; i++) {
        service.advanceRooms.round(coupon.partition());
        service.keepRooms.round(coupon.partition());
        service.timePasses(Duration.ofSeconds(1));
      }
      service.advanceRooms.round(coupon.partition());
      assertThat(state().progress().number().served()).isGreaterThan(state().claimed());
    }

    void secondsPass(int seconds) {
      for (int i = 0; i < seconds; i++) {
        service.timePasses(Duration.ofSeconds(1));
        round();
      }
    }

    void pauseRoom(boolean isPaused) {
      service.changeCoupon.change(
          coupon.id(), before -> before.changeRoom(RATE, isPaused, false), CouponFixtures.OPERATOR);
    }

    Standing standing(String user) {
      return service.readRoom.standing(
          coupon.id(), new UserId(user), requireNonNull(joined.get(user)).text());
    }

    RoomState state() {
      return requireNonNull(service.readRoom.read(coupon.id()).orElseThrow().reading()).state();
    }

    @Nullable Integer slot(String user) {
      var mark =
          service.stock.stock().find(service.epochs.address(coupon), new UserId(user)).orElse(null);
      return mark instanceof LedgerMark.Holds(var slot) ? slot.number() : null;
    }

    /** The users who have a slot, in the order of the slots. */
    List<String> owners() {
      var bySlot = new LinkedHashMap<Integer, String>();
      joined
          .keySet()
          .forEach(user -> {
            var slot = slot(user);
            if (slot != null) {
              bySlot.put(slot, user);
            }
          });
      return bySlot.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .map(Map.Entry::getValue)
          .toList();
    }

    /** The users in the order in which they are served. */
    List<String> inOrder() {
      return joined.keySet().stream()
          .sorted((a, b) -> Integer.compare(place(a), place(b)))
          .toList();
    }

    int place(String user) {
      return switch (standing(user)) {
        case Standing.Waiting waiting -> waiting.place();
        case Standing.Admitted admitted -> admitted.place();
        default -> throw new AssertionError(standing(user));
      };
    }

    ClaimAnswer claim(String user) {
      try {
        var admission =
            standing(user) instanceof Standing.Admitted admitted ? admitted.admission() : null;
        return service.claimCoupon.claim(coupon.id(), new UserId(user), admission);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_room_claims_for_its_users_in_their_order_until_all_is_gone(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(USERS);
    assertThat(room.owners()).isEmpty();

    room.opens();
    room.secondsPass(20);

    assertThat(room.owners()).isEqualTo(room.inOrder().subList(0, TOTAL));
    var first = room.inOrder().getFirst();
    var last = room.inOrder().getLast();
    assertThat(room.standing(first)).isInstanceOf(Standing.Admitted.class);
    assertThat(room.claim(first)).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    assertThat(room.standing(last))
        .isInstanceOfSatisfying(
            Standing.Waiting.class,
            waiting -> {
              assertThat(waiting.chance()).isEqualTo(ReadRoom.Chance.GONE);
              assertThat(waiting.ahead()).isEqualTo(USERS - TOTAL - 1);
            });
    assertThat(room.claim(last)).isInstanceOf(ClaimAnswer.NotAdmitted.class);
  }

  @ParameterizedTest
  @EnumSource
  void users_who_are_served_and_not_claimed_for_wait(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(USERS);
    room.opensWithoutClaims();

    var first = room.inOrder().getFirst();
    assertThat(room.standing(first)).isInstanceOf(Standing.Waiting.class);
    room.service.claimTurns.round(room.coupon.partition());
    room.service.advanceRooms.round(room.coupon.partition());
    assertThat(room.standing(first)).isInstanceOf(Standing.Admitted.class);
  }

  @ParameterizedTest
  @EnumSource
  void after_a_loss_of_redis_users_who_show_their_tickets_are_claimed_for(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(TOTAL);
    room.opens();
    room.secondsPass(4);
    var claimedBefore = room.owners();
    assertThat(claimedBefore).isNotEmpty().hasSizeLessThan(TOTAL);
    room.service.relayAndRecord();

    room.service.stock.wipe();
    room.service.checkTheFence();
    room.round();
    int passed = room.state().claimed();
    room.joined.keySet().forEach(room::standing);
    room.secondsPass(30);

    assertThat(room.joined.keySet())
        .filteredOn(user -> room.place(user) > passed)
        .isNotEmpty()
        .allSatisfy(user -> assertThat(room.slot(user)).isNotNull());

    var admitted =
        room.joined.keySet().stream()
            .filter(user -> room.slot(user) == null)
            .filter(user -> room.standing(user) instanceof Standing.Admitted)
            .toList();
    admitted.forEach(
        user -> assertThat(room.claim(user)).as(user).isInstanceOf(ClaimAnswer.Accepted.class));
    assertThat(room.owners()).hasSize(TOTAL);
  }

  @ParameterizedTest
  @EnumSource
  void who_waits_in_a_pause_of_the_room_waits_after_a_loss_of_redis(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(USERS);
    room.opensWithoutClaims();
    room.pauseRoom(true);
    room.secondsPass(1);
    var claimed = room.state().claimed();
    assertThat(room.state().progress().number().served()).isGreaterThan(claimed);

    room.service.stock.wipe();
    room.service.checkTheFence();
    room.secondsPass(2);

    assertThat(room.state().claimed()).isEqualTo(claimed);
    room.joined.keySet().forEach(room::standing);
    room.pauseRoom(false);
    room.secondsPass(30);
    assertThat(room.owners()).isEqualTo(room.inOrder().subList(0, TOTAL));
  }

  @ParameterizedTest
  @EnumSource
  void who_waits_after_the_sell_out_waits_after_a_loss_of_redis(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(USERS);
    room.opens();
    room.secondsPass(20);
    assertThat(room.state().claimed()).isEqualTo(TOTAL);
    while (room.service.logDepth() > 0) {
      room.service.relayAndRecord();
    }

    room.service.stock.wipe();
    room.service.checkTheFence();
    room.secondsPass(2);

    assertThat(room.state().claimed()).isEqualTo(TOTAL);
  }

  /**
   * An erasure that waits for something else must not end before a claim that a room then makes.
   */
  @ParameterizedTest
  @EnumSource
  void a_room_claims_no_more_for_a_user_whose_erasure_has_begun(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(9);
    room.opens();
    room.secondsPass(1);
    assertThat(room.owners()).as("claims that are not recorded yet").isNotEmpty();
    var last = room.inOrder().getLast();
    var id = room.service.requestErasure(new UserId(last));
    room.service.tryErasures();
    assertThat(room.service.erasure(id).hasEnded()).isFalse();

    room.secondsPass(10);

    assertThat(room.owners()).hasSize(8).doesNotContain(last);
  }

  @ParameterizedTest
  @EnumSource
  void a_user_who_was_erased_is_passed(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(TOTAL);
    var id = room.service.requestErasure(new UserId("user-3"));
    room.service.tryErasures();
    assertThat(room.service.erasure(id).hasEnded()).isTrue();

    room.opens();
    room.secondsPass(20);

    assertThat(room.slot("user-3")).isNull();
    assertThat(room.owners()).hasSize(TOTAL - 1);
    assertThat(room.state().claimed()).isEqualTo(TOTAL);
  }

  @ParameterizedTest
  @EnumSource
  void nobody_is_claimed_for_while_the_coupon_is_paused(WaitingRoom.Order order) {
    var room = new Room(order);
    room.join(USERS);
    room.service.changeCoupon.change(room.coupon.id(), Coupon::pause, CouponFixtures.OPERATOR);
    room.opens();
    room.secondsPass(20);
    assertThat(room.owners()).isEmpty();

    room.service.changeCoupon.change(room.coupon.id(), Coupon::resume, CouponFixtures.OPERATOR);
    room.secondsPass(20);

    assertThat(room.owners()).hasSize(TOTAL);
    assertThat(IntStream.rangeClosed(1, TOTAL).boxed().toList())
        .isEqualTo(room.owners().stream().map(room::slot).toList());
  }
}
