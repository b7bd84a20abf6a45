package io.firstcome.adapter.persistence.event;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.recording.ClaimRecording;
import io.firstcome.adapter.persistence.recording.ClaimRecording.SkippedConflicts;
import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The outbox with events of transactions that are not committed yet. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
class EventOutboxRacesIT {

  private static final long EPOCH = 1;
  private static final int MANY = 100;

  private final TestDatabase database = new TestDatabase(EventOutboxRacesIT.class);
  private final Coupon coupon = aCoupon().build();
  private final List<CouponEvent> published = new ArrayList<>();
  private DatabasePorts ports = database.ports();

  @BeforeEach
  void empty_the_database_and_define_the_coupon() {
    ports = database.empty();
    ports.define(coupon, EPOCH);
    published.clear();
  }

  @AfterAll
  void close() {
    database.close();
  }

  private AcceptedClaim claim(String user, int slot) {
    return acceptedClaim(coupon, user, slot, EPOCH);
  }

  private int publish() {
    return ports.events().publishNext(MANY, published::addAll);
  }

  /** A transaction that has recorded the claim and is still open. */
  private Connection recorded(AcceptedClaim claim) throws SQLException {
    var connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    var epochs = Map.of(coupon.partition(), new Epoch(EPOCH));
    new ClaimRecording(
            DSL.using(connection, SQLDialect.POSTGRES),
            epochs,
            SkippedConflicts.ANY,
            IssuanceObserver.silent())
        .record(List.of(claim));
    return connection;
  }

  private static void commit(Connection connection) {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Integer> slots() {
    return published.stream().map(event -> ((CouponEvent.Issued) event).slot().number()).toList();
  }

  @Test
  void an_event_committed_late_is_published_after_later_events() throws SQLException {
    try (var slow = recorded(claim("ann", 1))) {
      ports.userCoupons().record(List.of(claim("bob", 2)));
      assertThat(publish()).isEqualTo(1);
      commit(slow);
    }

    assertThat(publish()).isEqualTo(1);
    assertThat(slots()).containsExactly(2, 1);
    assertThat(publish()).isZero();
  }

  @Test
  void an_event_committed_while_later_events_are_published_is_not_deleted() throws SQLException {
    try (var slow = recorded(claim("ann", 1))) {
      ports.userCoupons().record(List.of(claim("bob", 2)));
      ports
          .events()
          .publishNext(
              MANY,
              events -> {
                published.addAll(events);
                commit(slow);
              });
    }

    assertThat(publish()).isEqualTo(1);
    assertThat(slots()).containsExactly(2, 1);
  }
}
