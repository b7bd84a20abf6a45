package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.recording.ClaimRecording.SkippedConflicts;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.usercoupon.JooqUserCouponRepository;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Concurrent changes between the statements of a recorder. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class RecordingRacesIT {

  private static final RecordOutcome RECORDED = new RecordOutcome.Recorded();
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(20);
  private static final int BATCH = 400;
  private static final int ROUNDS = 15;

  private final TestDatabase database = new TestDatabase(RecordingRacesIT.class);
  private final Coupon coupon = aCoupon().withTotal(BATCH).build();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private DatabasePorts ports = database.ports();

  @BeforeEach
  void begin() {
    ports = database.empty();
    ports.define(coupon, 1);
  }

  @AfterAll
  void close() {
    threads.close();
    database.close();
  }

  private AcceptedClaim claim(String user, int slot) {
    return acceptedClaim(coupon, user, slot, 1);
  }

  private List<RecordOutcome> record(AcceptedClaim... claims) {
    return ports.userCoupons().record(List.of(claims));
  }

  /** A recorder whose commit the test decides. */
  private static List<RecordOutcome> recordIn(DSLContext transaction, AcceptedClaim claim) {
    var epochs = Epochs.hold(transaction, Set.of(claim.partition()));
    return new ClaimRecording(
            transaction, epochs, SkippedConflicts.WITH_SLOT, IssuanceObserver.silent())
        .record(List.of(claim));
  }

  /**
   * Runs {@code before}, then {@code other} until it waits for a lock of the transaction, then
   * {@code after}.
   */
  private <T> CompletableFuture<T> whileItWaits(
      Consumer<DSLContext> before, Supplier<T> other, Consumer<DSLContext> after) {
    return database
        .dsl()
        .transactionResult(transaction -> {
          before.accept(transaction.dsl());
          var running = CompletableFuture.supplyAsync(other, threads);
          awaitWaitingSessions(1);
          assertThat(running).isNotDone();
          after.accept(transaction.dsl());
          return running;
        });
  }

  private void awaitWaitingSessions(int count) {
    var deadline = System.nanoTime() + WAIT_LIMIT.toNanos();
    while (database.waitingSessions() < count) {
      assertThat(System.nanoTime()).as("sessions that wait for a lock").isLessThan(deadline);
    }
  }

  @Test
  void raising_the_epoch_waits_for_a_running_recorder() throws Exception {
    var raised =
        whileItWaits(
            transaction -> Epochs.hold(transaction, Set.of(coupon.partition())),
            () -> ports.epochs().raise(coupon.partition(), new Epoch(2)),
            transaction -> recordIn(transaction, claim("alice", 1)));

    assertThat(raised.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(ports.holders(coupon.id())).hasSize(1);
    assertThat(record(claim("bob", 2))).containsExactly(new RecordOutcome.Late(new Epoch(2)));
  }

  /** If it did not wait, recorders of which one always holds the epoch would block the raise. */
  @Test
  void a_recorder_that_starts_while_the_epoch_is_being_raised_waits_for_the_raise()
      throws Exception {
    var later = new AtomicReference<CompletableFuture<List<RecordOutcome>>>();
    var raised =
        whileItWaits(
            transaction -> Epochs.hold(transaction, Set.of(coupon.partition())),
            () -> ports.epochs().raise(coupon.partition(), new Epoch(2)),
            transaction -> {
              later.set(CompletableFuture.supplyAsync(() -> record(claim("bob", 2)), threads));
              awaitWaitingSessions(2);
            });

    assertThat(raised.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(later.get().get(20, TimeUnit.SECONDS))
        .containsExactly(new RecordOutcome.Late(new Epoch(2)));
  }

  @Test
  void a_coupon_whose_first_row_is_being_recorded_cannot_be_deleted() {
    var deleted =
        whileItWaits(
            transaction -> recordIn(transaction, claim("alice", 1)),
            () -> database.dsl().execute("DELETE FROM coupon"),
            transaction -> {});

    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> deleted.get(20, TimeUnit.SECONDS))
        .withMessageContaining("has user coupons");
    assertThat(ports.holders(coupon.id())).hasSize(1);
  }

  @Test
  void a_recorder_that_waited_for_its_coupon_to_be_deleted_finds_no_coupon() throws Exception {
    var outcomes =
        whileItWaits(
            transaction -> transaction.execute("DELETE FROM coupon"),
            () -> record(claim("alice", 1)),
            transaction -> {});

    assertThat(outcomes.get(20, TimeUnit.SECONDS))
        .containsExactly(new RecordOutcome.UnknownCoupon());
  }

  @Test
  void two_recorders_hold_the_epoch_at_the_same_time() {
    database
        .dsl()
        .transaction(transaction -> {
          recordIn(transaction.dsl(), claim("alice", 1));
          assertThat(record(claim("bob", 2))).containsExactly(RECORDED);
        });
  }

  @Test
  void a_recorder_that_waited_for_the_epoch_to_be_raised_sees_the_new_epoch() throws Exception {
    var outcomes =
        whileItWaits(
            transaction -> transaction.execute("UPDATE stock_partition SET epoch = 2"),
            () -> record(claim("alice", 1)),
            transaction -> {});

    assertThat(outcomes.get(20, TimeUnit.SECONDS))
        .containsExactly(new RecordOutcome.Late(new Epoch(2)));
    assertThat(ports.lateClaims().next(coupon.partition(), null, 10)).hasSize(1);
  }

  @Test
  void a_row_committed_while_the_recorder_waited_for_its_lock_is_seen() throws Exception {
    var outcomes =
        whileItWaits(
            transaction -> recordIn(transaction, claim("alice", 1)),
            () -> record(claim("alice", 1), claim("bob", 2)),
            transaction -> {});

    assertThat(outcomes.get(20, TimeUnit.SECONDS))
        .containsExactly(new RecordOutcome.AlreadyRecorded(), RECORDED);
  }

  @Test
  void a_slot_occupied_while_the_recorder_waited_for_its_lock_is_seen() throws Exception {
    var outcomes =
        whileItWaits(
            transaction -> recordIn(transaction, claim("alice", 1)),
            () -> record(claim("bob", 1)),
            transaction -> {});

    assertThat(outcomes.get(20, TimeUnit.SECONDS)).containsExactly(new RecordOutcome.SlotTaken());
    assertThat(ports.lateClaims().next(coupon.partition(), null, 10)).hasSize(1);
  }

  @Test
  void a_claim_whose_conflicting_row_was_deleted_between_the_statements_is_inserted_again() {
    record(claim("alice", 1));
    addTrigger(
        "AFTER INSERT ON user_coupon FOR EACH STATEMENT",
        "DELETE FROM user_coupon WHERE user_id = 'alice';");
    try {
      assertThat(record(claim("bob", 1), claim("carl", 2))).containsExactly(RECORDED, RECORDED);
    } finally {
      dropTrigger();
    }
    assertThat(ports.holders(coupon.id())).hasSize(2);
  }

  @Test
  void a_claim_that_is_not_inserted_and_has_no_conflicting_row_is_an_exception() {
    addTrigger("BEFORE INSERT ON user_coupon FOR EACH ROW", "");
    try {
      assertThatExceptionOfType(DatabaseUnavailableException.class)
          .isThrownBy(() -> record(claim("alice", 1)));
    } finally {
      dropTrigger();
    }
  }

  private void addTrigger(String event, String action) {
    database
        .dsl()
        .execute(
            """
            CREATE FUNCTION interfere() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN %s RETURN NULL; END $$
            """
                .formatted(action));
    database
        .dsl()
        .execute("CREATE TRIGGER interfere %s EXECUTE FUNCTION interfere()".formatted(event));
  }

  private void dropTrigger() {
    database.dsl().execute("DROP FUNCTION interfere() CASCADE");
  }

  @Test
  void batches_in_opposite_order_need_no_second_attempt() throws Exception {
    var once =
        new JooqUserCouponRepository(
            new Database(database.dsl(), 1), TestDatabase.LIMITS, IssuanceObserver.silent());
    for (int round = 0; round < ROUNDS; round++) {
      database.dsl().deleteFrom(USER_COUPON).execute();
      var claims =
          IntStream.rangeClosed(1, BATCH).mapToObj(slot -> claim("user" + slot, slot)).toList();
      var barrier = new CyclicBarrier(2);
      var one = CompletableFuture.supplyAsync(() -> recordBehind(barrier, once, claims), threads);
      var other =
          CompletableFuture.supplyAsync(
              () -> recordBehind(barrier, once, claims.reversed()), threads);

      assertThat(one.get(20, TimeUnit.SECONDS)).hasSize(BATCH);
      assertThat(other.get(20, TimeUnit.SECONDS)).hasSize(BATCH);
    }
  }

  private static List<RecordOutcome> recordBehind(
      CyclicBarrier barrier, JooqUserCouponRepository repository, List<AcceptedClaim> claims) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the other recorder did not reach the barrier", e);
    }
    return repository.record(claims);
  }
}
