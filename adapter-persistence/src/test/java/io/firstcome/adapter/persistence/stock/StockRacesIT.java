package io.firstcome.adapter.persistence.stock;

import static io.firstcome.adapter.persistence.generated.Tables.EVENT_OUTBOX;
import static io.firstcome.adapter.persistence.generated.Tables.USER_COUPON;
import static io.firstcome.contracts.CouponFixtures.CODE_KEY_VERSION;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.codeKeys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Concurrent claims, and failures between the statements of a claim. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class StockRacesIT {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration WAIT_LIMIT = Duration.ofSeconds(30);

  /** Shorter than the limit that every session has. */
  private static final Duration BEFORE_OTHER_LIMITS =
      TestDatabase.LIMITS.idleInTransaction().dividedBy(2);

  private static final int CALLERS = 200;

  private final TestDatabase database = new TestDatabase(StockRacesIT.class);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private RowStock rows = new RowStock(database);

  @BeforeEach
  void begin() {
    rows = new RowStock(database);
  }

  @AfterAll
  void close() {
    threads.close();
    database.close();
  }

  private static List<ClaimOutcome> claim(
      CouponStock stock, StockAddress coupon, Duration within, String... users) {
    var claims =
        List.of(users).stream().map(user -> CouponFixtures.claimOf(new UserId(user))).toList();
    try {
      return stock.claim(coupon, null, claims, within).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  private List<ClaimOutcome> claim(StockAddress coupon, String... users) {
    return claim(rows.stock(), coupon, SOON, users);
  }

  private static ClaimOutcome issued(int slot) {
    return new ClaimOutcome.Issued(new Slot(slot));
  }

  @Test
  void a_coupon_without_an_installed_code_key_issues_no_slot() {
    var coupon = rows.define(aCoupon().withCodeKeyVersion(CODE_KEY_VERSION + 1).build());

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> claim(coupon, "alice"))
        .satisfies(refused -> assertThat(refused.effect()).isEqualTo(Effect.NONE));
    assertThat(rows.ports().holders(coupon.couponId())).isEmpty();
  }

  @Test
  void two_hundred_callers_at_two_instances_get_each_slot_once() throws Exception {
    int total = CALLERS / 2;
    var coupon = rows.define(aCoupon().withTotal(total).build());
    var instances = List.of(rows.stock(), RowStock.of(database));
    var barrier = new CyclicBarrier(CALLERS);

    var answers =
        IntStream.range(0, CALLERS)
            .mapToObj(i ->
                CompletableFuture.supplyAsync(
                    () -> {
                      await(barrier);
                      // Each user claims twice concurrently, like an impatient customer.
                      return claim(instances.get(i % 2), coupon, SOON, "user-" + i / 2).getFirst();
                    },
                    threads))
            .toList();
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

    var outcomes = answers.stream().map(CompletableFuture::join).toList();
    assertThat(outcomes.stream().filter(ClaimOutcome.Issued.class::isInstance))
        .hasSize(total)
        .doesNotHaveDuplicates();
    assertThat(outcomes.stream().filter(ClaimOutcome.AlreadyIssued.class::isInstance))
        .hasSize(CALLERS - total);
    assertThat(rows.ports().holders(coupon.couponId()))
        .extracting(holder -> holder.slot().number())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, total).boxed().toList());
    assertThat(claim(coupon, "late")).containsExactly(new ClaimOutcome.SoldOut());
    assertThat(database.dsl().select(sum(EVENT_OUTBOX.EVENTS)).from(EVENT_OUTBOX).fetchSingle())
        .as("events: one for each slot, two for shares, and one for sold out")
        .extracting(row -> row.value1().intValue())
        .isEqualTo(total + 3);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException("the other callers did not reach the barrier", e);
    }
  }

  @Test
  void an_issued_claim_is_a_row_with_the_derived_identity() {
    var definition = aCoupon().build();
    var coupon = rows.define(definition);
    claim(coupon, "ann");

    var row = rows.ports().userCoupons().find(coupon.couponId(), new UserId("ann")).orElseThrow();
    assertThat(row.identity())
        .isEqualTo(codeKeys().identityOf(1, coupon.couponId(), new UserId("ann")));
    assertThat(row.ownership().expiresAt())
        .isEqualTo(row.ownership().issuedAt().plus(Duration.ofDays(30)));
  }

  @Test
  void a_session_that_ends_before_the_commit_has_issued_no_slot() {
    var coupon = rows.define(aCoupon().withTotal(1).build());
    sleepAfterInserts();
    try {
      var dying =
          CompletableFuture.supplyAsync(() -> claim(coupon, "ann"), threads)
              .handle((outcomes, failure) -> failure);
      int session = awaitSession("wait_event = 'PgSleep'");
      database.dsl().execute("SELECT pg_terminate_backend({0})", val(session));
      assertThat(dying.join())
          .hasRootCauseInstanceOf(SQLException.class)
          .cause()
          .isInstanceOfSatisfying(
              StockUnavailableException.class, e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
    } finally {
      database.dsl().execute("DROP FUNCTION sleep_after_insert() CASCADE");
    }
    assertThat(database.dsl().fetchCount(USER_COUPON)).isZero();

    assertThat(claim(coupon, "ann", "bob")).containsExactly(issued(1), new ClaimOutcome.SoldOut());
  }

  private void sleepAfterInserts() {
    database
        .dsl()
        .execute(
            """
            CREATE FUNCTION sleep_after_insert() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$
            """);
    database
        .dsl()
        .execute(
            "CREATE TRIGGER sleep_after_insert AFTER INSERT ON user_coupon FOR EACH STATEMENT"
                + " EXECUTE FUNCTION sleep_after_insert()");
  }

  /** Waits for a session that satisfies the condition, and returns its process id. */
  private int awaitSession(String where) {
    var end = System.nanoTime() + WAIT_LIMIT.toNanos();
    while (true) {
      var found =
          database
              .dsl()
              .fetch(
                  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND "
                      + where);
      if (!found.isEmpty()) {
        return found.getFirst().get(0, Integer.class);
      }
      assertThat(System.nanoTime()).as("no session where %s", where).isLessThan(end);
    }
  }

  @Test
  void a_claim_that_waits_for_the_coupons_lock_beyond_its_deadline_has_no_effect() {
    var coupon = rows.define(aCoupon().build());
    database
        .dsl()
        .transaction(holding -> {
          lock(holding.dsl(), coupon);
          assertThatThrownBy(() -> claim(rows.stock(), coupon, Duration.ofMillis(300), "ann"))
              .isInstanceOfSatisfying(
                  StockUnavailableException.class,
                  e -> assertThat(e.effect()).isEqualTo(Effect.NONE));
        });

    assertThat(database.dsl().fetchCount(USER_COUPON)).isZero();
    assertThat(claim(coupon, "bob")).containsExactly(issued(1));
  }

  private static void lock(DSLContext transaction, StockAddress coupon) {
    transaction.execute(
        "SELECT 1 FROM coupon WHERE coupon_id = {0} FOR UPDATE", val(coupon.couponId().value()));
  }

  /** A COMMIT that is delayed by the network must have no effect after the call's deadline. */
  @Test
  void a_transaction_that_exceeds_its_deadline_is_ended_with_its_session() {
    var coupon = rows.define(aCoupon().build());
    assertThatExceptionOfType(DataAccessException.class)
        .isThrownBy(() ->
            database
                .dsl()
                .transaction(stalled -> {
                  LockedCoupon.lock(stalled.dsl(), coupon.couponId(), Duration.ofMillis(200));
                  awaitNoSession("state LIKE 'idle in transaction%'", BEFORE_OTHER_LIMITS);
                  stalled.dsl().execute("SELECT 1");
                }));
  }

  private void awaitNoSession(String where, Duration limit) {
    var end = System.nanoTime() + limit.toNanos();
    while (!database
        .dsl()
        .fetch("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND " + where)
        .isEmpty()) {
      assertThat(System.nanoTime()).as("a session where %s", where).isLessThan(end);
    }
  }

  @Test
  void a_claim_that_waited_for_an_operators_change_is_decided_under_the_new_terms() {
    var coupon = rows.define(aCoupon().build());
    var answer =
        database
            .dsl()
            .transactionResult(operator -> {
              operator.dsl().execute("UPDATE coupon SET status = 'PAUSED', revision = 2");
              var waiting = CompletableFuture.supplyAsync(() -> claim(coupon, "ann"), threads);
              awaitSession("wait_event_type = 'Lock'");
              return waiting;
            });

    assertThat(answer.join()).containsExactly(new ClaimOutcome.Paused());
  }

  @Test
  void archived_unknown_and_redis_coupons_have_no_stock_in_postgres() {
    var archived = rows.define(aCoupon().build());
    claim(archived, "ann");
    rows.giveBack(archived, new UserId("ann"), new Slot(1), 1);
    rows.change(archived, aCoupon().closed().build());
    assertFenced(() -> rows.stock().remove(archived));
    rows.change(archived, aCoupon().archived().build());
    rows.stock().remove(archived);
    rows.stock().remove(archived);
    var elsewhere = aCoupon().withId("ELSEWHERE").build();
    rows.ports().define(elsewhere, 1);

    assertThat(database.dsl().fetchCount(USER_COUPON, condition(USER_COUPON.SLOT_FREE))).isZero();
    for (var address :
        Set.of(
            archived,
            new StockAddress(elsewhere.id(), elsewhere.partition(), archived.epoch()),
            StockAddress.inDatabase(new CouponId("UNKNOWN"), archived.partition()))) {
      assertHasNoStock(address);
    }
  }

  private void assertHasNoStock(StockAddress address) {
    var stock = rows.stock();
    var ann = new UserId("ann");
    assertFenced(() -> claim(address, "ann"));
    assertFenced(() -> stock.find(address, ann));
    assertFenced(() -> stock.level(address));
    assertFenced(() -> stock.ledger(address, null));
    assertFenced(() -> stock.returned(address, null, 10));
    assertFenced(() -> stock.release(address, ann, new Slot(1), 1));
    assertFenced(() ->
        stock.adopt(
            address,
            List.of(
                new LateClaim(
                    address.couponId(), ann, new Slot(1), address.partition(), Instant.EPOCH))));
  }

  private static void assertFenced(ThrowingCallable call) {
    assertThatExceptionOfType(StockFencedException.class).isThrownBy(call);
  }
}
