package io.firstcome.application.waitingroom;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.claim.ClaimAnswer.NotAdmittedReason;
import io.firstcome.application.waitingroom.ReadRoom.Chance;
import io.firstcome.application.waitingroom.ReadRoom.Phase;
import io.firstcome.application.waitingroom.ReadRoom.Standing;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Users of one waiting room, from joining it to their admission. */
class WaitingRoomTest {

  private static final int RATE = 10;
  private static final Duration ADMISSION = Duration.ofMinutes(5);
  private static final UserId ANN = new UserId("ann");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Coupon coupon = aCoupon().withTotal(30).withWaitingRoom(RATE).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  private JoinRoom.Answer answer(String user) {
    try {
      return service.joinRoom.join(coupon.id(), new UserId(user), null);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private JoinRoom.Answer.Joined join(String user) {
    assertThat(answer(user)).isInstanceOf(JoinRoom.Answer.Joined.class);
    return (JoinRoom.Answer.Joined) answer(user);
  }

  private Standing standing(String user, JoinRoom.Answer.Joined joined) {
    return service.readRoom.standing(coupon.id(), new UserId(user), joined.text());
  }

  private void secondsPass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      service.timePasses(SECOND);
      round();
    }
  }

  private RoomReading reading() {
    round();
    return requireNonNull(service.readRoom.read(coupon.id()).orElseThrow().reading());
  }

  /** Enough rounds to find the room, open it, extend its reserves and read it. */
  private void round() {
    list();
    for (int i = 0; i < 2; i++) {
      service.advanceRooms.round(coupon.partition());
      keep();
    }
    service.advanceRooms.round(coupon.partition());
  }

  private void list() {
    try {
      service.keepRooms.list();
    } catch (DatabaseUnavailableException e) {
      // The rooms that were found before stay.
    }
  }

  private void keep() {
    try {
      service.keepRooms.round(coupon.partition());
    } catch (DatabaseUnavailableException e) {
      // The rooms use up their reserves.
    }
  }

  @Test
  void a_room_with_a_challenge_is_joined_only_with_a_solution_of_the_same_user_and_coupon()
      throws Exception {
    var room = requireNonNull(coupon.definition().waitingRoom()).withChallenge(true);
    var challenged = aCoupon().withId("CHALLENGED").withWaitingRoom(room).build();
    var other = InMemoryService.with(challenged);
    other.keepRooms.list();
    keepTwice(other, challenged);

    assertThat(other.joinRoom.join(challenged.id(), ANN, null))
        .isEqualTo(new JoinRoom.Answer.ChallengeRequired());
    assertThat(other.joinRoom.join(challenged.id(), ANN, challenge(other, challenged, "bob")))
        .isEqualTo(new JoinRoom.Answer.InvalidSolution());
    assertThat(other.joinRoom.join(challenged.id(), ANN, challenge(other, challenged, "ann")))
        .isInstanceOfSatisfying(
            JoinRoom.Answer.Joined.class,
            joined -> assertThat(joined.ticket().number()).isEqualTo(1));
  }

  private static String challenge(InMemoryService service, Coupon of, String user) {
    var answer = service.readChallenge.challenge(of.id(), new UserId(user));
    return ((ReadChallenge.Answer.Challenge) answer).json();
  }

  @Test
  void a_challenge_is_given_also_for_a_room_that_does_not_require_one_yet() {
    assertThat(challenge(service, coupon, "ann")).contains("ann");
    assertThat(service.readChallenge.challenge(aCoupon().withId("OTHER").build().id(), ANN))
        .isEqualTo(new ReadChallenge.Answer.NoRoom());
  }

  @Test
  void a_room_is_opened_and_serves_its_users_at_its_rate() {
    assertThat(answer("early")).isInstanceOf(JoinRoom.Answer.Recovering.class);
    round();
    var first = join("user-1");
    for (int i = 2; i <= 15; i++) {
      join("user-" + i);
    }
    var last = join("user-15");
    assertThat(first.ticket().number()).isEqualTo(1);
    assertThat(last.ticket().number()).isEqualTo(15);

    secondsPass(2);

    assertThat(standing("user-1", first)).isInstanceOf(Standing.Admitted.class);
    assertThat(standing("user-15", last))
        .isInstanceOfSatisfying(
            Standing.Waiting.class,
            waiting -> {
              assertThat(waiting.place()).isEqualTo(15);
              assertThat(waiting.ahead()).isBetween(3, 14);
              assertThat(waiting.estimate()).isNotNull();
              assertThat(waiting.chance()).isEqualTo(Chance.LIKELY);
            });
    secondsPass(2);
    assertThat(standing("user-15", last)).isInstanceOf(Standing.Admitted.class);
  }

  @Test
  void an_admission_ends_at_the_same_time_whenever_it_is_read() {
    round();
    var ann = join("ann");
    secondsPass(2);
    var first = (Standing.Admitted) standing("ann", ann);

    secondsPass(100);

    var later = (Standing.Admitted) standing("ann", ann);
    assertThat(later.admission()).isEqualTo(first.admission());
    assertThat(later.remaining()).isLessThan(first.remaining());
    secondsPass((int) ADMISSION.toSeconds());
    assertThat(standing("ann", ann)).isInstanceOf(Standing.Missed.class);

    var again = join("ann");
    assertThat(again.ticket().number()).isEqualTo(2);
    secondsPass(2);
    assertThat(standing("ann", again)).isInstanceOf(Standing.Admitted.class);
  }

  private ClaimAnswer claim(String user, @Nullable String admission) {
    try {
      return service.claimCoupon.claim(coupon.id(), new UserId(user), admission);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static ClaimAnswer notAdmitted(NotAdmittedReason reason) {
    return new ClaimAnswer.NotAdmitted(reason);
  }

  @Test
  void a_claim_needs_a_valid_admission_unless_the_user_has_the_coupon() {
    round();
    var ann = join("ann");
    var bob = join("bob");
    secondsPass(2);
    var admission = ((Standing.Admitted) standing("ann", ann)).admission();
    var ofBob = ((Standing.Admitted) standing("bob", bob)).admission();

    assertThat(claim("ann", null)).isEqualTo(notAdmitted(NotAdmittedReason.MISSING));
    assertThat(claim("ann", ann.text())).isEqualTo(notAdmitted(NotAdmittedReason.INVALID));
    assertThat(claim("ann", ofBob)).isEqualTo(notAdmitted(NotAdmittedReason.INVALID));
    assertThat(claim("ann", admission)).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(claim("ann", admission)).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    secondsPass((int) ADMISSION.plusMinutes(1).toSeconds());
    assertThat(claim("bob", ofBob)).isEqualTo(notAdmitted(NotAdmittedReason.EXPIRED));
    assertThat(claim("ann", null)).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    assertThat(claim("ann", admission)).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    assertThat(claim("ann", ofBob)).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
  }

  @Test
  void a_claim_is_refused_while_the_room_is_not_read_or_the_stock_not_reachable() {
    round();
    var ann = join("ann");
    secondsPass(2);
    var admission = ((Standing.Admitted) standing("ann", ann)).admission();

    service.stock.restart();
    assertThat(claim("ann", null)).isEqualTo(new ClaimAnswer.Recovering());
    assertThat(claim("ann", admission)).isEqualTo(new ClaimAnswer.Recovering());
    service.checkTheFence();
    service.timePasses(RoomReadings.CURRENT_FOR);
    assertThat(claim("ann", admission)).isEqualTo(new ClaimAnswer.Recovering());
    round();
    assertThat(claim("ann", admission)).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void a_ticket_of_another_user_or_coupon_is_invalid() {
    round();
    var ann = join("ann");

    assertThat(standing("bob", ann)).isInstanceOf(Standing.InvalidTicket.class);
    for (var text : new String[] {"", "1", "2" + ann.text().substring(1), ann.text() + "A"}) {
      assertThat(service.readRoom.standing(coupon.id(), new UserId("ann"), text))
          .as(text)
          .isInstanceOf(Standing.InvalidTicket.class);
    }
  }

  @Test
  void users_who_are_admitted_and_have_not_claimed_count_for_the_chance_of_those_behind() {
    var joined = new ArrayList<JoinRoom.Answer.Joined>();
    for (int i = 1; i <= 4 * RATE; i++) {
      round();
      joined.add(join("user-" + i));
    }
    assertThat(chance(joined, 30)).isEqualTo(Chance.LIKELY);
    assertThat(chance(joined, 31)).isEqualTo(Chance.UNLIKELY);

    secondsPass(2);

    assertThat(standing("user-10", joined.get(9))).isInstanceOf(Standing.Admitted.class);
    assertThat(chance(joined, 30)).isEqualTo(Chance.LIKELY);
    assertThat(chance(joined, 31)).isEqualTo(Chance.UNLIKELY);
  }

  private Chance chance(List<JoinRoom.Answer.Joined> joined, int place) {
    return ((Standing.Waiting) standing("user-" + place, joined.get(place - 1))).chance();
  }

  @Test
  void after_a_loss_of_redis_tickets_keep_their_place_and_new_users_stand_behind_them() {
    round();
    Set<Integer> numbers = new HashSet<>();
    var ann = join("ann");
    for (int i = 0; i < 30; i++) {
      numbers.add(join("user-" + i).ticket().number());
      round();
    }
    secondsPass(2);
    var last = join("last");
    numbers.add(last.ticket().number());
    assertThat(standing("ann", ann)).isInstanceOf(Standing.Admitted.class);

    loseRedis();

    assertThat(standing("ann", ann)).isInstanceOf(Standing.Admitted.class);
    var next = join("new");
    assertThat(next.ticket().number()).isGreaterThan(32);
    assertThat(next.ticket().epoch()).isEqualTo(last.ticket().epoch().next());
    assertThat(numbers).hasSize(31).doesNotContain(next.ticket().number());
    secondsPass(20);
    assertThat(standing("last", last)).isInstanceOf(Standing.Admitted.class);
    assertThat(standing("new", next)).isInstanceOf(Standing.Admitted.class);
    assertThat(reading().state().progress().gaps()).isEmpty();
  }

  @Test
  void repeated_losses_of_redis_leave_no_more_numbers_unused_than_the_first_one() {
    round();
    join("user-0");
    var unused = new ArrayList<Integer>();
    for (int i = 1; i <= 2; i++) {
      secondsPass(2);
      int last = reading().state().lastTicket();
      loseRedis();
      unused.add(join("user-" + i).ticket().number() - last);
    }
    // The reserve, up to the next multiple of the length of a list of users.
    assertThat(unused).allSatisfy(numbers -> assertThat(numbers).isBetween(1, 2 * 128));
  }

  @Test
  void a_paused_room_admits_nobody_after_losses_of_redis() {
    var room = requireNonNull(coupon.definition().waitingRoom()).withPace(RATE, true);
    var paused = aCoupon().withId("PAUSED").withTotal(30).withWaitingRoom(room).build();
    var other = InMemoryService.with(paused);
    other.keepRooms.list();
    keepTwice(other, paused);
    var ticket = joined(other, paused, "ann");
    for (int i = 0; i < 2; i++) {
      other.timePasses(SECOND);
      keepTwice(other, paused);
      other.stock.wipe();
      other.checkTheFence();
      keepTwice(other, paused);
    }
    other.timePasses(SECOND);
    keepTwice(other, paused);

    assertThat(other.readRoom.standing(paused.id(), ANN, ticket))
        .isInstanceOf(Standing.Waiting.class);
  }

  @Test
  void places_that_were_reserved_before_a_pause_are_not_served_by_a_loss_of_redis() {
    usersJoinAndAreServed();
    int served = served();
    assertThat(reading().state().reserve().places()).isGreaterThan(served + RATE);

    changeRoom(true);
    secondsPass(1);
    served = served();
    loseRedis();

    assertThat(served()).isEqualTo(served);
    changeRoom(false);
    secondsPass(2);
    assertThat(served()).isGreaterThan(served);
  }

  @Test
  void a_pause_that_the_database_learns_later_admits_nobody_after_a_loss_of_redis() {
    usersJoinAndAreServed();
    changeRoom(true);
    service.database.disconnect();
    secondsPass(1);
    service.database.reconnect();
    secondsPass(1);
    int served = served();
    loseRedis();

    assertThat(served()).isEqualTo(served);
  }

  @Test
  void a_reserve_whose_extension_was_lost_is_lowered_in_a_pause_of_the_coupon() {
    round();
    service.lostRoomCalls.add("extend");
    join("ann");
    round();
    assertThat(noted().reserve().places()).isEqualTo(1);
    assertThat(served()).isZero();

    service.changeCoupon.change(coupon.id(), Coupon::pause, CouponFixtures.OPERATOR);
    service.lostRoomCalls.clear();
    secondsPass(2);

    assertThat(noted().reserve().places()).isZero();
    loseRedis();
    assertThat(served()).isZero();
  }

  @Test
  void an_instance_that_is_cut_off_from_the_stock_does_not_open_the_record() {
    list();
    service.advanceRooms.round(coupon.partition());
    service.lostRoomCalls.add("advance");
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> service.advanceRooms.round(coupon.partition()));

    keep();

    assertThat(service.database.rooms().find(coupon.id())).isEmpty();
    service.lostRoomCalls.clear();
    round();
    assertThat(service.database.rooms().find(coupon.id())).isPresent();
  }

  private RoomRecord noted() {
    return service.database.rooms().find(coupon.id()).orElseThrow();
  }

  private void usersJoinAndAreServed() {
    for (int i = 1; i <= 8 * RATE; i++) {
      round();
      join("user-" + i);
    }
    secondsPass(2);
  }

  private void changeRoom(boolean isPaused) {
    service.changeCoupon.change(
        coupon.id(), before -> before.changeRoom(RATE, isPaused, false), CouponFixtures.OPERATOR);
  }

  private void loseRedis() {
    service.stock.wipe();
    service.checkTheFence();
    round();
  }

  private int served() {
    return reading().state().progress().number().served();
  }

  private static void keepTwice(InMemoryService service, Coupon of) {
    for (int i = 0; i < 2; i++) {
      service.advanceRooms.round(of.partition());
      service.keepRooms.round(of.partition());
    }
    service.advanceRooms.round(of.partition());
  }

  private static String joined(InMemoryService service, Coupon of, String user) {
    try {
      var answer = service.joinRoom.join(of.id(), new UserId(user), null);
      return ((JoinRoom.Answer.Joined) answer).text();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_room_is_seen_without_numbers_while_it_is_not_read() {
    round();
    join("ann");
    assertThat(service.readRoom.read(coupon.id()).orElseThrow().reading()).isNotNull();

    service.timePasses(Duration.ofSeconds(4));

    var view = service.readRoom.read(coupon.id()).orElseThrow();
    assertThat(view.reading()).isNull();
    assertThat(view.phase()).isEqualTo(Phase.SERVING);
  }

  @Test
  void while_the_database_is_not_reachable_the_room_uses_up_its_reserves() {
    round();
    join("ann");
    secondsPass(1);
    var reserve = reading().state().reserve();
    service.database.disconnect();

    int joined = 1;
    while (answer("user-" + joined) instanceof JoinRoom.Answer.Joined) {
      joined++;
    }

    assertThat(answer("late")).isInstanceOf(JoinRoom.Answer.Overloaded.class);
    assertThat(joined).isEqualTo(reserve.tickets());
    secondsPass(10);
    assertThat(reading().state().progress().number().served()).isEqualTo(reserve.places());
    service.database.reconnect();
    secondsPass(2);
    assertThat(reading().state().progress().number().served()).isGreaterThan(reserve.places());
    assertThat(answer("late")).isInstanceOf(JoinRoom.Answer.Joined.class);
  }

  @Test
  void the_reserve_grows_with_the_joins_up_to_the_maximum() {
    round();
    int joined = 0;
    for (int round = 0; round < 100; round++) {
      while (answer("user-" + joined) instanceof JoinRoom.Answer.Joined) {
        joined++;
      }
      round();
    }

    assertThat(joined).isEqualTo(service.limits.rooms().maxTickets());
  }

  @Test
  void a_user_who_has_the_coupon_need_not_join() {
    round();
    service
        .stock
        .stock()
        .claim(
            service.epochs.address(coupon),
            null,
            List.of(CouponFixtures.claimOf(new UserId("ann"))),
            SECOND);

    assertThat(answer("ann")).isInstanceOf(JoinRoom.Answer.HasClaimed.class);
  }

  @Test
  void after_the_end_claims_are_repeated_and_everybody_knows_that_it_is_over() {
    round();
    var ann = join("ann");
    var bob = join("bob");
    secondsPass(2);
    var admission = ((Standing.Admitted) standing("ann", ann)).admission();
    var ofBob = ((Standing.Admitted) standing("bob", bob)).admission();
    assertThat(claim("ann", admission)).isInstanceOf(ClaimAnswer.Accepted.class);

    service.changeCoupon.change(coupon.id(), Coupon::close, CouponFixtures.OPERATOR);
    secondsPass(5);

    assertThat(claim("ann", admission)).isInstanceOf(ClaimAnswer.AlreadyClaimed.class);
    var closed = new ClaimOutcome.Closed();
    assertThat(claim("bob", ofBob)).isEqualTo(new ClaimAnswer.Refused(closed));
    assertThat(claim("cid", null)).isEqualTo(new ClaimAnswer.Refused(closed));
    assertThat(standing("bob", bob)).isInstanceOf(Standing.Ended.class);
    assertThat(answer("cid")).isEqualTo(new JoinRoom.Answer.Refused(closed));
  }

  @Test
  void nobody_joins_a_room_that_is_not_open_before_its_time() throws InterruptedException {
    var joinsFrom = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);
    var later =
        aCoupon()
            .withId("LATER")
            .opening(joinsFrom, joinsFrom.plus(Duration.ofDays(1)))
            .withWaitingRoom(
                new WaitingRoom(
                    WaitingRoom.Mode.ADMIT,
                    WaitingRoom.Order.ARRIVAL,
                    joinsFrom,
                    RATE,
                    ADMISSION,
                    false,
                    false))
            .build();
    var other = InMemoryService.with(later);
    other.keepRooms.list();
    other.advanceRooms.round(later.partition());

    assertThat(other.joinRoom.join(later.id(), new UserId("ann"), null))
        .isEqualTo(new JoinRoom.Answer.Refused(new ClaimOutcome.NotOpen(joinsFrom)));
  }

  @Test
  void a_user_who_is_erased_has_no_ticket() {
    round();
    join("ann");
    var id = service.requestErasure(new UserId("ann"));

    service.tryErasures();

    assertThat(service.erasure(id).hasEnded()).isTrue();
    assertThat(join("ann").ticket().number()).isEqualTo(2);
  }

  @Test
  void an_erasure_waits_for_the_stock_that_may_have_a_ticket() {
    round();
    join("ann");
    service.stock.restart();
    var id = service.requestErasure(new UserId("ann"));

    service.tryErasures();

    assertThat(service.erasure(id).waitsFor()).isEqualTo(Obstacle.STOCK);
  }

  @Test
  void the_phases_follow_the_coupon() {
    assertThat(phase()).isEqualTo(Phase.SERVING);
    service.changeCoupon.change(coupon.id(), Coupon::pause, CouponFixtures.OPERATOR);
    assertThat(phase()).isEqualTo(Phase.PAUSED);
    service.changeCoupon.change(coupon.id(), Coupon::close, CouponFixtures.OPERATOR);
    assertThat(phase()).isEqualTo(Phase.ENDED);
    assertThat(answer("ann"))
        .isInstanceOfAny(JoinRoom.Answer.Refused.class, JoinRoom.Answer.Recovering.class);
  }

  private Phase phase() {
    return service.readRoom.read(coupon.id()).orElseThrow().phase();
  }
}
