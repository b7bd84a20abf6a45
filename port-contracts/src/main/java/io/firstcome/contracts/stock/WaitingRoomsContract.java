package io.firstcome.contracts.stock;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.stock.StockScenario.FIRST;
import static io.firstcome.contracts.stock.StockScenario.SOON;
import static io.firstcome.contracts.stock.StockScenario.address;
import static io.firstcome.contracts.stock.StockScenario.alreadyIssued;
import static io.firstcome.contracts.stock.StockScenario.claim;
import static io.firstcome.contracts.stock.StockScenario.opened;
import static io.firstcome.contracts.stock.StockScenario.recoveredAs;
import static io.firstcome.contracts.stock.StockScenario.user;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.CouponFixtures.CouponBuilder;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.WaitingRooms;
import io.firstcome.domain.waitingroom.JoinOutcome;
import io.firstcome.domain.waitingroom.RoomReading;
import io.firstcome.domain.waitingroom.RoomRecord;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.RoomTerms;
import io.firstcome.domain.waitingroom.ServingHistory;
import io.firstcome.domain.waitingroom.Ticket;
import io.firstcome.domain.waitingroom.Turns;
import io.firstcome.domain.waitingroom.Turns.Turn;
import io.firstcome.domain.waitingroom.TurnsOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every implementation of {@link WaitingRooms} does. */
public abstract class WaitingRoomsContract extends StockContract<HandoffStockUnderTest> {

  private static final int MAX_TICKETS = 1_000;
  private static final int RATE = 1_000;
  private static final RoomReserve RESERVE = new RoomReserve(100, 50);
  private static final int QUEUE_PART = 128;

  private WaitingRooms rooms = new InMemoryStockBackend(InstantSource.system(), LOG_CAP).rooms();

  @BeforeEach
  void takeTheRooms() {
    rooms = backend.rooms();
  }

  private static CouponBuilder aRoom() {
    return aCoupon().withWaitingRoom(RATE);
  }

  private static RoomTerms terms(Coupon coupon) {
    return new RoomTerms(coupon.revision(), requireNonNull(coupon.definition().waitingRoom()));
  }

  /** The coupon with an open room that nobody has joined. */
  private StockAddress openRoom(Coupon coupon, RoomReserve reserve) {
    var address = opened(backend, coupon, FIRST);
    open(address, coupon, RoomRecord.EMPTY, reserve);
    return address;
  }

  /** Opens the room according to its record, and extends its reserve. */
  private void open(StockAddress address, Coupon coupon, RoomRecord record, RoomReserve reserve) {
    var opening = record.opened(address.epoch(), QUEUE_PART, 0).with(reserve);
    assertThat(rooms.open(address, opening.atOpening(terms(coupon)))).isEmpty();
  }

  private RoomReserve reserve(StockAddress coupon) {
    return read(coupon).state().reserve();
  }

  private void raiseReserve(StockAddress coupon, int tickets, int places) {
    rooms.extend(coupon, reserve(coupon).raisedTo(new RoomReserve(tickets, places)), null);
  }

  private StockAddress openRoom() {
    return openRoom(aRoom().build(), RESERVE);
  }

  private List<JoinOutcome> join(StockAddress coupon, String... users) {
    return join(coupon, Claim.of(Arrays.stream(users).map(StockScenario::user).toList(), null));
  }

  private List<JoinOutcome> join(StockAddress coupon, List<Claim> users) {
    try {
      return rooms.join(coupon, MAX_TICKETS, users, SOON).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StockUnavailableException failure ? failure : e;
    }
  }

  private static JoinOutcome joined(int number) {
    return joined(number, FIRST);
  }

  private static JoinOutcome joined(int number, Epoch epoch) {
    return new JoinOutcome.Joined(new Ticket(number, epoch));
  }

  private static JoinOutcome notJoined(ClaimOutcome reason) {
    return new JoinOutcome.NotJoined(reason);
  }

  private RoomReading read(StockAddress coupon) {
    return read(coupon, terms(aRoom().build()));
  }

  private RoomReading read(StockAddress coupon, RoomTerms terms) {
    return requireNonNull(tryRead(coupon, terms));
  }

  private @Nullable RoomReading tryRead(StockAddress coupon, RoomTerms terms) {
    return rooms
        .advance(coupon.partition(), coupon.epoch(), Map.of(coupon.couponId(), terms), SOON)
        .open()
        .get(coupon.couponId());
  }

  private static int served(RoomReading reading) {
    return reading.state().progress().number().served();
  }

  /** Reads the room until the condition holds. */
  private RoomReading readUntil(StockAddress coupon, Predicate<RoomReading> condition) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (true) {
      var reading = read(coupon);
      if (condition.test(reading)) {
        return reading;
      }
      assertThat(System.nanoTime()).as("timeout; last: %s", reading).isLessThan(end);
    }
  }

  private static void pause() throws InterruptedException {
    Thread.sleep(30);
  }

  @Test
  void users_get_tickets_in_the_order_of_arrival_and_keep_them() {
    var coupon = openRoom();

    assertThat(join(coupon, "ann", "bob")).containsExactly(joined(1), joined(2));
    assertThat(join(coupon, "cid", "ann", "cid")).containsExactly(joined(3), joined(1), joined(3));
    assertThat(read(coupon).state().lastTicket()).isEqualTo(3);
  }

  @Test
  void no_ticket_is_given_above_the_reserve_or_the_maximum() {
    var coupon = openRoom(aRoom().build(), new RoomReserve(2, 50));
    var busy = notJoined(new ClaimOutcome.Busy());

    assertThat(join(coupon, "ann", "bob", "cid", "ann"))
        .containsExactly(joined(1), joined(2), busy, joined(1));

    raiseReserve(coupon, 5_000, 0);
    assertThat(join(coupon, "cid")).containsExactly(joined(3));
    for (int i = 4; i <= MAX_TICKETS; i++) {
      join(coupon, "user-" + i);
    }
    assertThat(join(coupon, "late")).containsExactly(busy);
  }

  @Test
  void who_has_had_the_coupon_gets_no_ticket() {
    var terms = aRoom().withTotal(3).returningToStock().build();
    var coupon = openRoom(terms, RESERVE);
    claim(stock, coupon, "ann", "bob");
    giveBack(coupon, "bob", 2, 1);

    assertThat(join(coupon, "ann", "bob", "cid"))
        .containsExactly(
            notJoined(alreadyIssued(1)), notJoined(new ClaimOutcome.Returned()), joined(1));
  }

  @Test
  void users_cannot_join_before_the_time_or_after_the_end_or_the_sell_out() {
    var joinsFrom = Instant.parse("2099-01-01T00:00:00.250Z");
    var later = new RoomTerms(2, room(joinsFrom, WaitingRoom.Order.ARRIVAL));
    var coupon = openRoom(aRoom().withTotal(1).build(), RESERVE);

    read(coupon, later);
    assertThat(join(coupon, "ann")).containsExactly(notJoined(new ClaimOutcome.NotOpen(joinsFrom)));
    claim(stock, coupon, "bob");
    read(coupon, new RoomTerms(3, terms(aRoom().build()).room()));
    assertThat(join(coupon, "ann")).containsExactly(notJoined(new ClaimOutcome.SoldOut()));
    backend.change(coupon, aRoom().withTotal(1).closed().withRevision(2).build());
    assertThat(join(coupon, "ann")).containsExactly(notJoined(new ClaimOutcome.Closed()));
  }

  private static WaitingRoom room(Instant joinsFrom, WaitingRoom.Order order) {
    return new WaitingRoom(
        WaitingRoom.Mode.ADMIT, order, joinsFrom, RATE, Duration.ofMinutes(5), false, false);
  }

  @Test
  void nobody_joins_while_the_coupon_is_frozen() {
    var coupon = openRoom();

    assertThat(stock.freeze(coupon, 1, SOON)).isEqualTo(FreezeOutcome.FROZEN);

    assertThat(join(coupon, "ann")).containsExactly(notJoined(new ClaimOutcome.Busy()));
  }

  @Test
  void terms_of_a_later_revision_replace_all_terms_of_a_room_that_nobody_has_joined() {
    var coupon = openRoom();
    var other =
        new RoomTerms(
            2,
            new WaitingRoom(
                WaitingRoom.Mode.CLAIM,
                WaitingRoom.Order.DRAW,
                Instant.parse("2019-01-01T00:00:00Z"),
                3,
                Duration.ofSeconds(77),
                true,
                false));

    assertThat(read(coupon, other).state().terms()).isEqualTo(other);
    assertThat(read(coupon, other).state().progress().history().admissionTime())
        .isEqualTo(Duration.ofSeconds(77));
  }

  @Test
  void a_user_with_a_ticket_keeps_it_after_the_sell_out() {
    var coupon = openRoom(aRoom().withTotal(1).build(), RESERVE);
    join(coupon, "ann");
    claim(stock, coupon, "bob");

    assertThat(join(coupon, "ann")).containsExactly(joined(1));
  }

  @Test
  void users_can_join_before_the_opening_and_nobody_is_served() throws InterruptedException {
    var opensAt = Instant.parse("2099-01-01T00:00:00Z");
    var coupon = openRoom(aRoom().opening(opensAt, opensAt.plusSeconds(60)).build(), RESERVE);

    assertThat(join(coupon, "ann")).containsExactly(joined(1));
    pause();

    var reading = read(coupon);
    assertThat(served(reading)).isZero();
    assertThat(reading.stock().accepts()).isFalse();
    assertThat(reading.state().progress().number().counted()).isZero();
  }

  @Test
  void the_room_serves_its_tickets_and_no_further_ones() throws InterruptedException {
    var coupon = openRoom();
    join(coupon, "ann", "bob");

    var reading = readUntil(coupon, latest -> served(latest) == 2);
    pause();

    assertThat(served(read(coupon))).isEqualTo(2);
    assertThat(reading.state().progress().history().marks())
        .last()
        .matches(mark -> mark.served() == 2);
    assertThat(reading.stock().free()).isEqualTo(100);
    assertThat(reading.stock().totalQuantity()).isEqualTo(100);
  }

  @Test
  void the_room_serves_nobody_above_its_reserve() throws InterruptedException {
    var coupon = openRoom(aRoom().build(), new RoomReserve(100, 1));
    join(coupon, "ann", "bob");

    readUntil(coupon, latest -> served(latest) > 0);
    pause();

    assertThat(served(read(coupon))).isEqualTo(1);
    raiseReserve(coupon, 0, 2);
    readUntil(coupon, latest -> served(latest) == 2);
  }

  @Test
  void a_lowered_reserve_ends_with_the_last_place_that_is_served() throws InterruptedException {
    var coupon = openRoom();
    join(coupon, "ann");
    readUntil(coupon, latest -> served(latest) == 1);
    var before = reserve(coupon);

    var lowered = rooms.lower(coupon, before.version());

    assertThat(lowered).contains(new RoomReserve(before.version() + 1, before.tickets(), 1));
    assertThat(reserve(coupon)).isEqualTo(lowered.orElseThrow());
    join(coupon, "bob");
    pause();
    assertThat(served(read(coupon))).isEqualTo(1);
    raiseReserve(coupon, 0, 2);
    readUntil(coupon, latest -> served(latest) == 2);
  }

  @Test
  void a_reserve_is_not_raised_by_an_extension_from_before_it_was_lowered() {
    var coupon = openRoom();
    var delayed = reserve(coupon);

    var lowered = rooms.lower(coupon, delayed.version());
    rooms.extend(coupon, delayed, null);

    assertThat(reserve(coupon)).isEqualTo(lowered.orElseThrow());
  }

  @Test
  void a_reserve_of_another_version_or_in_another_epoch_is_not_lowered() {
    var coupon = openRoom();
    var former = reserve(coupon);
    raiseReserve(coupon, 0, RESERVE.places() + 1);
    var raised = reserve(coupon);

    assertThat(rooms.lower(coupon, former.version())).isEmpty();
    assertThat(reserve(coupon)).isEqualTo(raised);
    var other = new StockAddress(coupon.couponId(), coupon.partition(), FIRST.next());
    assertThatExceptionOfType(StockFencedException.class)
        .isThrownBy(() -> rooms.lower(other, raised.version()));
    assertThat(reserve(coupon)).isEqualTo(raised);
  }

  /** An extension and a lowering of the same version: the system of record has the higher one. */
  @Test
  void the_higher_one_of_two_reserves_of_one_version_is_valid() {
    var coupon = openRoom();
    var raised = reserve(coupon).raisedTo(new RoomReserve(0, RESERVE.places() + 1));

    rooms.lower(coupon, reserve(coupon).version());
    rooms.extend(coupon, raised, null);

    assertThat(reserve(coupon)).isEqualTo(raised);
  }

  @Test
  void terms_of_a_later_revision_pause_the_room_and_those_of_an_earlier_one_do_not_resume_it()
      throws InterruptedException {
    var coupon = openRoom();
    var first = terms(aRoom().build());
    var paused = new RoomTerms(2, first.room().withPace(7, true));

    assertThat(read(coupon, paused).state().terms()).isEqualTo(paused);
    join(coupon, "ann");
    pause();

    var reading = read(coupon, first);
    assertThat(reading.state().terms()).isEqualTo(paused);
    assertThat(served(reading)).isZero();
    assertThat(reading.state().progress().number().counted()).isPositive();
  }

  @Test
  void nobody_is_served_while_the_coupon_is_paused_and_no_time_counts()
      throws InterruptedException {
    var coupon = openRoom();
    var paused = aRoom().paused().withRevision(2).build();
    backend.change(coupon, paused);
    read(coupon, terms(paused));
    join(coupon, "ann");
    pause();

    var reading = read(coupon);

    assertThat(served(reading)).isZero();
    assertThat(reading.state().progress().number().counted()).isLessThan(Duration.ofMillis(25));
    backend.change(coupon, aRoom().withRevision(3).build());
    readUntil(coupon, latest -> served(latest) == 1);
  }

  @Test
  void nobody_is_the_first_to_join_a_room_that_does_not_have_the_edited_terms() {
    var coupon = openRoom();
    var edited = aRoom().withRevision(2).build();
    backend.change(coupon, edited);
    assertThat(join(coupon, "ann")).containsExactly(notJoined(new ClaimOutcome.Busy()));

    read(coupon, terms(edited));

    assertThat(join(coupon, "ann")).containsExactly(joined(1));
    backend.change(coupon, aRoom().withRevision(3).build());
    assertThat(join(coupon, "bob")).containsExactly(joined(2));
  }

  @Test
  void after_the_sell_out_nobody_is_served_without_a_free_slot() throws InterruptedException {
    var coupon = openRoomOfSoldOut();
    pause();
    assertThat(served(read(coupon))).isZero();
    assertThat(read(coupon).stock()).matches(seen -> seen.isAllocated() && seen.free() == 0);

    giveBack(coupon, "ann", 1, 1);

    readUntil(coupon, latest -> served(latest) == 1);
    pause();
    assertThat(served(read(coupon))).isEqualTo(1);
  }

  /** Ann has the only slot, and ten others have tickets. */
  private StockAddress openRoomOfSoldOut() {
    var coupon =
        aRoom().withId("SOLD-OUT").inPartition(1).withTotal(1).returningToStock().paused().build();
    var address = openRoom(coupon, RESERVE);
    for (int i = 0; i < 10; i++) {
      join(address, "user-" + i);
    }
    backend.change(
        address,
        aRoom()
            .withId("SOLD-OUT")
            .inPartition(1)
            .withTotal(1)
            .returningToStock()
            .withRevision(2)
            .build());
    claim(stock, address, "ann");
    return address;
  }

  @Test
  void a_drawn_room_serves_nobody_before_the_draw_which_takes_place_once()
      throws InterruptedException {
    var coupon = aCoupon().withWaitingRoom(room(Instant.EPOCH, WaitingRoom.Order.DRAW)).build();
    var address = openRoom(coupon, RESERVE);
    join(address, "ann");
    pause();
    var before = read(address, terms(coupon)).state();
    assertThat(before.progress().number().served()).isZero();
    assertThat(before.drawn()).isNull();

    rooms.extend(address, RESERVE, 1);
    rooms.extend(address, RESERVE, 7);

    readUntil(address, latest -> served(latest) == 1);
    assertThat(read(address, terms(coupon)).state().drawn()).isEqualTo(1);
  }

  @Test
  void a_room_continues_after_a_recovery_above_its_reserve() {
    var coupon = aRoom().build();
    var first = openRoom();
    join(first, "ann", "bob");
    readUntil(first, latest -> served(latest) == 2);
    var record = RoomRecord.EMPTY.with(read(first).state(), RESERVE);
    backend.wipe();

    var second = recoveredAs(backend, coupon, 1, new HashMap<>());
    assertThat(tryRead(second, terms(coupon))).isNull();
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> join(second, "ann"))
        .isNotInstanceOf(StockFencedException.class);
    open(second, coupon, record, new RoomReserve(500, 300));

    assertThat(join(second, "cid")).containsExactly(joined(QUEUE_PART + 1, second.epoch()));
    var reading = read(second);
    assertThat(served(reading)).isGreaterThanOrEqualTo(RESERVE.places());
    readUntil(second, latest -> served(latest) == QUEUE_PART + 1);
    assertThat(read(second).state().progress().gaps()).isEmpty();
  }

  @Test
  void tickets_stay_if_the_server_has_not_lost_them() {
    var coupon = aRoom().build();
    var first = openRoom();
    join(first, "ann");
    var second = recoveredAs(backend, coupon, 1, new HashMap<>());
    open(second, coupon, RoomRecord.EMPTY.with(RESERVE), new RoomReserve(500, 300));

    assertThat(join(second, "ann", "bob"))
        .containsExactly(joined(1, second.epoch()), joined(QUEUE_PART + 1, second.epoch()));
  }

  @Test
  void who_missed_an_admission_gets_another_ticket_and_keeps_that() {
    var coupon = aRoom().build();
    var first = openRoom();
    join(first, "ann", "bob");
    var second = recoveredAs(backend, coupon, 1, new HashMap<>());
    var admissionTime = terms(coupon).room().admissionTime();
    var missed = new ServingHistory.Mark(Duration.ofSeconds(1), 1);
    var admitted = new ServingHistory.Mark(admissionTime, RESERVE.tickets());
    var record =
        new RoomRecord(
            new RoomReserve(RESERVE.tickets(), RESERVE.tickets()),
            RoomRecord.EMPTY.opening(),
            2,
            admissionTime.plusSeconds(2),
            List.of(missed, admitted),
            List.of(),
            null);
    open(second, coupon, record, new RoomReserve(500, 300));

    var again = joined(QUEUE_PART + 1, second.epoch());
    assertThat(join(second, "ann", "bob", "ann"))
        .containsExactly(again, joined(2, second.epoch()), again);
    assertThat(join(second, "ann")).containsExactly(again);
  }

  @Test
  void a_room_that_is_not_open_is_not_opened_by_an_extension_of_its_reserve() {
    var coupon = aRoom().build();
    openRoom();
    var second = recoveredAs(backend, coupon, 1, new HashMap<>());

    rooms.extend(second, new RoomReserve(500, 300), null);

    assertThat(tryRead(second, terms(coupon))).isNull();
  }

  @Test
  void a_room_that_is_open_is_not_opened_again() {
    var coupon = aRoom().build();
    var address = openRoom();
    join(address, "ann");

    open(address, coupon, RoomRecord.EMPTY, new RoomReserve(5_000, 0));

    assertThat(reserve(address).tickets()).isEqualTo(RESERVE.tickets());
    assertThat(join(address, "bob")).containsExactly(joined(2));
  }

  @Test
  void a_room_is_not_opened_below_one_that_the_server_still_has() {
    var coupon = aRoom().build();
    var former = reserve(openRoom());
    var second = recoveredAs(backend, coupon, 1, new HashMap<>());
    var opening = RoomRecord.EMPTY.opened(second.epoch(), QUEUE_PART, 500);

    assertThat(rooms.open(second, opening.atOpening(terms(coupon)))).contains(former);

    assertThat(tryRead(second, terms(coupon))).isNull();
    open(second, coupon, opening.setBack().with(former), new RoomReserve(500, 300));
  }

  /** As a replica that was behind its master, whose reserve was lowered. */
  @Test
  void a_room_that_has_lost_the_latest_version_of_its_reserve_does_not_raise_the_record() {
    // So slow that the time of this test does not count.
    var coupon = aCoupon().withWaitingRoom(1).build();
    var lowered = reserve(openRoom()).loweredTo(10);
    var second = recoveredAs(backend, coupon, 1, new HashMap<>());
    var record =
        new RoomRecord(
            lowered, RoomRecord.EMPTY.opening(), 0, Duration.ZERO, List.of(), List.of(), null);

    open(second, coupon, record, new RoomReserve(500, 300));

    assertThat(served(requireNonNull(tryRead(second, terms(coupon)))))
        .isBetween(10, RESERVE.places() - 1);
  }

  @Test
  void calls_of_another_epoch_or_after_the_deadline_have_no_effect() {
    var coupon = openRoom();
    var stale = address(aRoom().build(), FIRST.next());
    var terms = terms(aRoom().build());

    assertFenced(() -> join(stale, "ann"));
    assertFenced(() -> tryRead(stale, terms));
    assertFenced(() -> rooms.open(stale, read(coupon).state()));
    assertFenced(() -> rooms.extend(stale, RESERVE, null));
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() ->
            rooms.advance(
                coupon.partition(),
                coupon.epoch(),
                Map.of(coupon.couponId(), terms),
                Duration.ofHours(-1)));
    var late =
        rooms.join(
            coupon,
            MAX_TICKETS,
            List.of(CouponFixtures.claimOf(user("ann"))),
            Duration.ofHours(-1));
    assertThat(late.toCompletableFuture()).failsWithin(SOON);

    assertThat(join(coupon, "bob")).containsExactly(joined(1));
  }

  @Test
  void an_erased_user_has_no_ticket_and_users_are_compared_with_pseudonyms() {
    var coupon = openRoom();
    join(coupon, "ann", "bob");

    backend.erase(coupon, user("ann"));

    assertThat(join(coupon, "ann")).containsExactly(notJoined(new ClaimOutcome.Repeat()));
    assertThat(
            join(coupon, Claim.of(List.of(user("ann"), user("bob")), CouponFixtures::pseudonymOf)))
        .containsExactly(joined(3), joined(2));
  }

  @Test
  void a_user_who_is_forgotten_gets_another_ticket() {
    var coupon = openRoom();
    join(coupon, "ann", "bob");

    rooms.forget(coupon, user("ann"));
    rooms.forget(coupon, user("cid"));

    assertThat(join(coupon, "bob", "ann")).containsExactly(joined(2), joined(3));
    assertFenced(() -> rooms.forget(address(aRoom().build(), FIRST.next()), user("bob")));
  }

  private static CouponBuilder aClaimingRoom() {
    return aCoupon().withWaitingRoom(claiming(WaitingRoom.Order.ARRIVAL, RATE));
  }

  private static WaitingRoom claiming(WaitingRoom.Order order, int rate) {
    return new WaitingRoom(
        WaitingRoom.Mode.CLAIM, order, Instant.EPOCH, rate, Duration.ofMinutes(5), false, false);
  }

  /** Places and tickets from 1 on, each with one of the users. */
  private static Turns turns(int after, String... users) {
    var turns = new ArrayList<Turn>();
    for (var name : users) {
      int place = after + turns.size() + 1;
      turns.add(new Turn(place, place, new Claim(user(name), null)));
    }
    return new Turns(after, after + users.length, turns);
  }

  private TurnsOutcome claimTurns(StockAddress coupon, Turns turns) {
    return rooms.claim(coupon, null, turns, SOON);
  }

  private static TurnsOutcome claimedFor(int last) {
    return new TurnsOutcome.Claimed(last);
  }

  private void readUntilServed(StockAddress coupon, int place) {
    readUntil(coupon, latest -> served(latest) == place);
  }

  private Map<UserId, LedgerMark> marks(StockAddress coupon, String... users) {
    return stock.find(coupon, Arrays.stream(users).map(StockScenario::user).toList());
  }

  private static LedgerMark slot(int number) {
    return new LedgerMark.Holds(new Slot(number));
  }

  @Test
  void a_room_claims_once_for_users_in_the_order_of_their_places() {
    var coupon = openRoom(aClaimingRoom().build(), RESERVE);
    join(coupon, "ann", "bob", "cid");
    readUntilServed(coupon, 3);
    assertThat(rooms.users(coupon, List.of(3, 1, 2, 4)))
        .isEqualTo(Map.of(1, user("ann"), 2, user("bob"), 3, user("cid")));

    assertThat(claimTurns(coupon, turns(0, "ann", "bob"))).isEqualTo(claimedFor(2));
    assertThat(claimTurns(coupon, turns(0, "ann", "bob"))).isEqualTo(new TurnsOutcome.OtherTurns());
    assertThat(claimTurns(coupon, turns(2, "cid"))).isEqualTo(claimedFor(3));

    assertThat(marks(coupon, "ann", "bob", "cid"))
        .isEqualTo(Map.of(user("ann"), slot(1), user("bob"), slot(2), user("cid"), slot(3)));
    assertThat(read(coupon).state().claimed()).isEqualTo(3);
    assertThat(join(coupon, "ann")).containsExactly(notJoined(alreadyIssued(1)));
  }

  @Test
  void users_of_many_tickets_are_read_in_any_order() {
    var coupon = openRoom(aClaimingRoom().build(), new RoomReserve(1_000, 50));
    var names = IntStream.rangeClosed(1, 300).mapToObj(i -> "user-" + i).toArray(String[]::new);
    join(coupon, names);

    var ascending = IntStream.rangeClosed(120, 270).boxed().toList();
    var users = rooms.users(coupon, ascending);

    assertThat(users).hasSize(151);
    assertThat(users)
        .allSatisfy((ticket, user) -> assertThat(user).isEqualTo(user("user-" + ticket)));
    assertThat(rooms.users(coupon, ascending.reversed())).isEqualTo(users);
  }

  @Test
  void a_room_that_claims_serves_as_many_as_there_are_slots() throws InterruptedException {
    var terms =
        aCoupon()
            .withWaitingRoom(claiming(WaitingRoom.Order.ARRIVAL, 2))
            .withTotal(2)
            .returningToStock()
            .build();
    var coupon = openRoom(terms, RESERVE);
    join(coupon, "ann", "bob", "cid");
    readUntilServed(coupon, 2);
    Thread.sleep(700);
    assertThat(served(read(coupon))).isEqualTo(2);

    assertThat(claimTurns(coupon, turns(0, "ann", "bob"))).isEqualTo(claimedFor(2));
    pause();
    assertThat(served(read(coupon))).isEqualTo(2);

    giveBack(coupon, "ann", 1, 1);
    readUntilServed(coupon, 3);
    assertThat(claimTurns(coupon, turns(2, "cid"))).isEqualTo(claimedFor(3));
    assertThat(marks(coupon, "cid")).containsValue(slot(1));
  }

  @Test
  void a_room_waits_with_the_place_whose_claim_has_no_final_outcome() {
    var terms = aClaimingRoom().withTotal(2).returningToStock().build();
    var coupon = openRoom(terms, RESERVE);
    join(coupon, "ann", "bob");
    readUntilServed(coupon, 2);
    claim(stock, coupon, "eve");

    assertThat(claimTurns(coupon, turns(0, "ann", "bob"))).isEqualTo(claimedFor(1));
    assertThat(claimTurns(coupon, turns(1, "bob"))).isEqualTo(claimedFor(1));
    giveBack(coupon, "eve", 1, 1);
    backend.change(
        coupon, aClaimingRoom().withTotal(2).returningToStock().paused().withRevision(2).build());
    assertThat(claimTurns(coupon, turns(1, "bob"))).isEqualTo(claimedFor(1));
    backend.change(coupon, aClaimingRoom().withTotal(2).returningToStock().withRevision(3).build());
    assertThat(claimTurns(coupon, turns(1, "bob"))).isEqualTo(claimedFor(2));
    assertThat(marks(coupon, "bob")).containsValue(slot(1));
  }

  @Test
  void a_room_does_not_claim_before_the_draw_or_while_it_is_paused() {
    var terms = aCoupon().withWaitingRoom(claiming(WaitingRoom.Order.DRAW, RATE)).build();
    var first = openRoom(terms, RESERVE);
    join(first, "ann", "bob");
    // After a recovery all places are served that were reserved before.
    var second = recoveredAs(backend, terms, 1, new HashMap<>());
    open(second, terms, RoomRecord.EMPTY.with(RESERVE), new RoomReserve(500, 300));
    assertThat(served(read(second))).isEqualTo(RESERVE.places());

    assertThat(claimTurns(second, turns(0, "ann"))).isEqualTo(new TurnsOutcome.OtherTurns());
    rooms.extend(second, new RoomReserve(500, 300), 2);
    read(second, new RoomTerms(2, terms(terms).room().withPace(RATE, true)));
    assertThat(claimTurns(second, turns(0, "ann"))).isEqualTo(new TurnsOutcome.OtherTurns());
    read(second, new RoomTerms(3, terms(terms).room()));
    assertThat(claimTurns(second, turns(0, "ann"))).isEqualTo(claimedFor(1));
  }

  @Test
  void a_room_passes_users_who_have_a_claim_and_places_without_a_user() {
    var coupon = openRoom(aClaimingRoom().build(), RESERVE);
    join(coupon, "ann", "bob", "cid");
    readUntilServed(coupon, 3);
    claim(stock, coupon, "bob");
    rooms.forget(coupon, user("ann"));
    assertThat(rooms.users(coupon, List.of(1, 2, 3)))
        .isEqualTo(Map.of(2, user("bob"), 3, user("cid")));

    assertThat(claimTurns(coupon, turns(0, "ann", "bob", "cid"))).isEqualTo(claimedFor(3));

    assertThat(marks(coupon, "ann", "bob", "cid"))
        .isEqualTo(Map.of(user("bob"), slot(1), user("cid"), slot(2)));
    join(coupon, "dan");
    readUntilServed(coupon, 4);
    assertThat(claimTurns(coupon, new Turns(3, 4, List.of()))).isEqualTo(claimedFor(4));
  }

  @Test
  void a_room_compares_its_users_with_pseudonyms_once_a_user_was_erased() {
    var coupon = openRoom(aClaimingRoom().build(), RESERVE);
    join(coupon, "ann", "bob");
    readUntilServed(coupon, 2);
    backend.erase(coupon, user("ann"));

    var turns = new Turns(0, 2, turns(0, "ann", "bob").users().subList(1, 2));
    assertThat(claimTurns(coupon, turns)).isEqualTo(new TurnsOutcome.PseudonymsNeeded());
    assertThat(claimTurns(coupon, turns.with(CouponFixtures::pseudonymOf)))
        .isEqualTo(claimedFor(2));

    assertThat(marks(coupon, "ann", "bob")).isEqualTo(Map.of(user("bob"), slot(1)));
  }

  @Test
  void a_room_does_not_claim_beyond_the_places_that_it_has_served_or_if_it_admits() {
    var claims = openRoom(aClaimingRoom().build(), RESERVE);
    join(claims, "ann");
    readUntilServed(claims, 1);
    assertThat(claimTurns(claims, turns(0, "ann", "bob"))).isEqualTo(new TurnsOutcome.OtherTurns());

    var admits = aRoom().withId("ADMITS").build();
    var other = address(admits, FIRST);
    stock.create(other, null, StockTerms.of(admits));
    open(other, admits, RoomRecord.EMPTY, RESERVE);
    join(other, "ann");
    readUntilServed(other, 1);
    assertThat(claimTurns(other, turns(0, "ann"))).isEqualTo(new TurnsOutcome.OtherTurns());
  }

  @Test
  void a_room_that_was_emptied_knows_the_users_whose_tickets_are_restored() {
    var terms = aClaimingRoom().build();
    var first = openRoom(terms, new RoomReserve(RESERVE.tickets(), 0));
    join(first, "ann", "bob");
    var record = RoomRecord.EMPTY.with(read(first).state(), RoomReserve.NONE);
    backend.wipe();
    var second = recoveredAs(backend, terms, 1, new HashMap<>());
    open(second, terms, record, new RoomReserve(500, 300));
    assertThat(rooms.users(second, List.of(1, 2))).isEmpty();
    join(second, "cid", "bob");

    rooms.restore(second, Map.of(user("bob"), 2));
    rooms.restore(second, Map.of(user("bob"), 7));

    assertThat(rooms.users(second, List.of(1, 2, 7, QUEUE_PART + 1, QUEUE_PART + 2)))
        .isEqualTo(Map.of(2, user("bob"), QUEUE_PART + 1, user("cid")));
    assertThat(join(second, "bob")).containsExactly(joined(2, second.epoch()));
    readUntil(second, latest -> served(latest) >= 2);
    assertThat(
            claimTurns(
                second,
                new Turns(0, 2, List.of(new Turn(2, 2, CouponFixtures.claimOf(user("bob")))))))
        .isEqualTo(claimedFor(2));
    assertThat(marks(second, "bob")).containsValue(slot(1));
    rooms.restore(second, Map.of(user("ann"), 1));
    assertThat(rooms.users(second, List.of(1))).isEmpty();
    rooms.restore(second, Map.of(user("dan"), 9));
    rooms.forget(second, user("dan"));
    assertThat(rooms.users(second, List.of(9))).isEmpty();
  }

  @Test
  void a_user_who_joins_again_is_known_by_the_new_ticket_only() {
    var terms = aClaimingRoom().build();
    var first = openRoom(terms, RESERVE);
    join(first, "ann");
    readUntilServed(first, 1);
    rooms.forget(first, user("nobody"));
    claimTurns(first, new Turns(0, 1, List.of()));
    var second = recoveredAs(backend, terms, 1, new HashMap<>());
    var missed = new ServingHistory.Mark(Duration.ofSeconds(1), RESERVE.places());
    var record =
        new RoomRecord(
            RESERVE,
            RoomRecord.EMPTY.opening(),
            1,
            terms(terms).room().admissionTime().plusSeconds(2),
            List.of(missed),
            List.of(),
            null);
    open(second, terms, record, new RoomReserve(500, 300));

    assertThat(join(second, "ann")).containsExactly(joined(QUEUE_PART + 1, second.epoch()));

    assertThat(rooms.users(second, List.of(1, QUEUE_PART + 1)))
        .isEqualTo(Map.of(QUEUE_PART + 1, user("ann")));
  }

  @Test
  void a_room_that_is_opened_again_continues_where_it_has_claimed() {
    var terms = aClaimingRoom().build();
    var first = openRoom(terms, RESERVE);
    join(first, "ann", "bob");
    readUntilServed(first, 2);
    claimTurns(first, turns(0, "ann"));
    var second = recoveredAs(backend, terms, 2, Map.of(user("ann"), slot(1)));

    open(second, terms, RoomRecord.EMPTY.with(RESERVE), new RoomReserve(500, 300));

    assertThat(read(second).state().claimed()).isEqualTo(1);
    assertThat(claimTurns(second, turns(1, "bob"))).isEqualTo(claimedFor(2));
  }

  @Test
  void a_lowered_reserve_of_a_room_that_claims_ends_with_the_place_that_it_has_claimed_for() {
    var coupon = openRoom(aClaimingRoom().build(), RESERVE);
    join(coupon, "ann", "bob");
    readUntilServed(coupon, 2);
    claimTurns(coupon, turns(0, "ann"));
    var before = reserve(coupon);

    assertThat(rooms.lower(coupon, before.version()))
        .contains(new RoomReserve(before.version() + 1, before.tickets(), 1));

    assertThat(claimTurns(coupon, turns(1, "bob"))).isEqualTo(new TurnsOutcome.OtherTurns());
    raiseReserve(coupon, 0, 2);
    assertThat(claimTurns(coupon, turns(1, "bob"))).isEqualTo(claimedFor(2));
  }

  @Test
  void turns_of_another_epoch_or_after_the_deadline_have_no_effect() {
    var coupon = openRoom(aClaimingRoom().build(), RESERVE);
    join(coupon, "ann");
    readUntilServed(coupon, 1);
    var stale = address(aClaimingRoom().build(), FIRST.next());

    assertFenced(() -> rooms.users(stale, List.of(1)));
    assertFenced(() -> claimTurns(stale, turns(0, "ann")));
    assertFenced(() -> rooms.restore(stale, Map.of(user("bob"), 7)));
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> rooms.claim(coupon, null, turns(0, "ann"), Duration.ofHours(-1)));
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(
            () -> rooms.claim(coupon, null, new Turns(0, 1, List.of()), Duration.ofHours(-1)));

    assertThat(marks(coupon, "ann")).isEmpty();
    assertThat(read(coupon).state().claimed()).isZero();
  }

  @Test
  void a_coupon_with_tickets_is_not_frozen() {
    var coupon = openRoom();
    join(coupon, "ann");

    assertThat(stock.freeze(coupon, 1, SOON)).isEqualTo(FreezeOutcome.CLAIMED);
  }

  @Test
  void a_removed_coupon_has_no_room() {
    var coupon = openRoom();
    join(coupon, "ann");

    stock.remove(coupon);

    assertThat(tryRead(coupon, terms(aRoom().build()))).isNull();
    assertFenced(() -> join(coupon, "ann"));
  }

  @Test
  void rooms_are_read_together() {
    var first = openRoom();
    var other = aRoom().withId("OTHER").build();
    var second = address(other, FIRST);
    stock.create(second, null, StockTerms.of(other));
    open(second, other, RoomRecord.EMPTY, RESERVE);
    var closed = aRoom().withId("CLOSED").build();
    stock.create(address(closed, FIRST), null, StockTerms.of(closed));
    var absent = aRoom().withId("ABSENT").build();

    var readings =
        rooms.advance(
            first.partition(),
            FIRST,
            Map.of(
                first.couponId(),
                terms(aRoom().build()),
                other.id(),
                terms(other),
                closed.id(),
                terms(closed),
                absent.id(),
                terms(absent)),
            SOON);

    assertThat(readings.open()).containsOnlyKeys(first.couponId(), other.id());
    assertThat(readings.closed()).containsExactly(closed.id());
  }
}
