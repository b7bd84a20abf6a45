package io.firstcome.adapter.persistence.session;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.epoch.Epochs;
import io.firstcome.adapter.persistence.recording.ClaimRecording;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.DatabaseLockedException;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The effect on other instances when one is frozen in a transaction: its session sends nothing
 * more, and its connection stays open.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(30)
class FrozenSessionIT {

  private static final long EPOCH = 1;
  private static final int MANY = 100;
  private static final int TRIES = 10;

  /** Shorter than the limits of the service, because tests wait for them. */
  private static final PersistenceLimits LIMITS =
      TestDatabase.limits(Duration.ofSeconds(3), Duration.ofSeconds(4));

  private final TestDatabase database = new TestDatabase(FrozenSessionIT.class, LIMITS);
  private final Coupon coupon = aCoupon().build();
  private DatabasePorts ports = database.ports();

  @BeforeEach
  void empty_the_database_and_define_the_coupon() {
    ports = database.empty();
    ports.define(coupon, EPOCH);
  }

  @AfterAll
  void close() {
    database.close();
  }

  private AcceptedClaim claim(String user, int slot) {
    return acceptedClaim(coupon, user, slot, EPOCH);
  }

  /** A transaction of the service whose client sends no further statement. */
  private final class FrozenTransaction implements AutoCloseable {

    private final Connection connection;
    private final DSLContext dsl;

    FrozenTransaction() throws SQLException {
      connection = database.dataSource().getConnection();
      connection.setAutoCommit(false);
      dsl = DSL.using(connection, SQLDialect.POSTGRES);
    }

    void holdEpoch() {
      var _ = Epochs.hold(dsl, Set.of(coupon.partition()));
    }

    void record(AcceptedClaim claim) {
      var epochs = Epochs.hold(dsl, Set.of(coupon.partition()));
      new ClaimRecording(
              dsl, epochs, ClaimRecording.SkippedConflicts.ANY, IssuanceObserver.silent())
          .record(List.of(claim));
    }

    void run(String sql) {
      dsl.execute(sql);
    }

    void mayBeIdle() {
      dsl.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
    }

    /** Evicts the connection, because its session may have ended. */
    @Override
    public void close() {
      database.dataSource().evictConnection(connection);
    }
  }

  @Test
  void a_row_that_a_frozen_instance_has_not_committed_is_recorded_by_another_instance()
      throws SQLException {
    try (var frozen = new FrozenTransaction()) {
      frozen.record(claim("ann", 1));

      assertThat(recordedAfterRetries(claim("ann", 1), claim("bob", 2)))
          .containsOnly(new RecordOutcome.Recorded());
    }
  }

  /**
   * The claims of a locked coupon can become late claims; other coupons in the batch need not wait.
   */
  @Test
  void recording_times_out_before_the_lock_of_a_frozen_transaction_ends() throws SQLException {
    try (var frozen = new FrozenTransaction()) {
      frozen.record(claim("ann", 1));

      assertThatExceptionOfType(DatabaseLockedException.class)
          .isThrownBy(() -> ports.userCoupons().record(List.of(claim("ann", 1))));
    }
  }

  /** Of several changes of a frozen instance, each would get the row after the other. */
  @Test
  void a_change_of_a_coupon_times_out_before_the_lock_of_a_frozen_transaction_ends()
      throws SQLException {
    var pause = (CouponChange.Changed) coupon.pause();
    try (var frozen = new FrozenTransaction()) {
      frozen.run("SELECT FROM coupon FOR NO KEY UPDATE");

      assertThatExceptionOfType(DatabaseLockedException.class)
          .isThrownBy(() -> ports.coupons().change(pause, OPERATOR, ACCEPTED_AT))
          .matches(e -> e.effect() == Effect.NONE);
    }
  }

  /** Retries, because each attempt gives up before the database ends the frozen transaction. */
  private List<RecordOutcome> recordedAfterRetries(AcceptedClaim... claims) {
    for (int i = 0; i < TRIES; i++) {
      try {
        return ports.userCoupons().record(List.of(claims));
      } catch (DatabaseLockedException e) {
        // Another session still holds a lock.
      }
    }
    throw new AssertionError("the rows are still locked");
  }

  @Test
  void the_epoch_is_raised_although_a_frozen_instance_holds_it() throws SQLException {
    try (var frozen = new FrozenTransaction()) {
      frozen.holdEpoch();

      assertThat(ports.epochs().raise(coupon.partition(), new Epoch(EPOCH + 1))).isTrue();
    }
  }

  @Test
  void events_are_published_by_another_instance_when_one_freezes_while_publishing() {
    ports.userCoupons().record(List.of(claim("ann", 1)));
    var byTheOther = new AtomicInteger();

    assertThatExceptionOfType(DatabaseUnavailableException.class)
        .isThrownBy(() ->
            ports
                .events()
                .publishNext(
                    MANY,
                    frozen -> {
                      while (byTheOther.get() == 0) {
                        byTheOther.set(ports.events().publishNext(MANY, events -> {}));
                      }
                    }));
    assertThat(byTheOther).hasValue(1);
  }

  @Test
  void a_recorder_that_waits_too_long_for_a_lock_is_refused_without_effect() throws SQLException {
    try (var busy = new FrozenTransaction()) {
      busy.mayBeIdle();
      busy.record(claim("ann", 1));

      assertThatExceptionOfType(DatabaseLockedException.class)
          .isThrownBy(() -> ports.userCoupons().record(List.of(claim("ann", 1))))
          .withMessageContaining("55P03")
          .matches(e -> e.effect() == Effect.NONE);
    }
  }

  @Test
  void locked_coupons_are_reported_without_waiting() throws SQLException {
    var other = ports.define(aCoupon().withId("OTHER").build(), EPOCH);
    try (var operator = new FrozenTransaction()) {
      operator.mayBeIdle();
      operator.run("SELECT FROM coupon FOR UPDATE");

      assertThat(ports.coupons().lockedAmong(Set.of(coupon.id(), other.id()))).isEmpty();
      operator.run("SELECT FROM stock_partition FOR UPDATE");
      assertThat(ports.coupons().lockedAmong(Set.of(coupon.id(), other.id()))).hasSize(2);
      operator.run("ROLLBACK");
      assertThat(ports.coupons().lockedAmong(Set.of(coupon.id()))).isEmpty();
    }
  }

  @Test
  void a_lock_on_the_row_of_the_coupon_does_not_delay_recording() throws SQLException {
    try (var operator = new FrozenTransaction()) {
      operator.mayBeIdle();
      operator.run("SELECT FROM coupon FOR UPDATE");

      assertThat(ports.userCoupons().record(List.of(claim("ann", 1))))
          .containsExactly(new RecordOutcome.Recorded());
    }
  }

  /** Locks that an operator can hold in psql, such as by SELECT … FOR UPDATE. */
  @ParameterizedTest
  @ValueSource(strings = {"SELECT FROM stock_partition FOR UPDATE", "LOCK TABLE user_coupon"})
  void a_claim_that_a_lock_prevents_from_being_recorded_can_be_kept_as_a_late_claim(String lock)
      throws SQLException {
    try (var operator = new FrozenTransaction()) {
      operator.mayBeIdle();
      operator.run(lock);

      assertThatExceptionOfType(DatabaseLockedException.class)
          .isThrownBy(() -> ports.userCoupons().record(List.of(claim("ann", 1))));
      ports.lateClaims().add(List.of(LateClaim.of(claim("ann", 1))));
      assertThat(ports.lateClaims().page(coupon.id(), null, MANY)).hasSize(1);
    }
  }
}
